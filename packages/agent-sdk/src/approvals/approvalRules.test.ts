import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApprovalSubject } from "../types/approvals.js";
import {
  choiceOf,
  optionsFor,
  parseRule,
  ruleFor,
  ruleMatches,
  widerRuleFor,
} from "./approvalRules.js";

const shell = (target: string): ApprovalSubject => ({
  toolName: "shell",
  kind: "execute",
  target,
  input: { command: target },
});
const file = (target: string, toolName = "write_file", kind = "edit"): ApprovalSubject => ({
  toolName,
  kind,
  target,
  input: { path: target },
});
const fetched = (target: string): ApprovalSubject => ({
  toolName: "web_fetch",
  kind: "fetch",
  target,
  input: { url: target },
});
const remote = (toolName: string): ApprovalSubject => ({
  toolName,
  kind: "other",
  target: '{"a":1}',
  input: { a: 1 },
});

const allows = (rule: string, subject: ApprovalSubject, workdir?: string): boolean =>
  ruleMatches(parseRule(rule), subject, "allow", workdir);
const denies = (rule: string, subject: ApprovalSubject, workdir?: string): boolean =>
  ruleMatches(parseRule(rule), subject, "deny", workdir);

describe("the form of a rule", () => {
  it.each([
    ["", "is empty"],
    ["(git *)", "names no tool"],
    ["shell(git *", "does not end with its closing parenthesis"],
    ["shell()", "has nothing between its parentheses"],
    ["run shell(git)", 'has "run shell" where a tool\'s name belongs'],
  ])("refuses %j and says the form", (rule, problem) => {
    expect(() => parseRule(rule)).toThrow(
      `The approval rule ${JSON.stringify(rule)} ${problem}. A rule is a tool's name, alone or with a pattern: ` +
        "`web_fetch`, `shell(git *)`, `write(src/**)`, `mcp__server__*`, `*`.",
    );
  });

  it("takes a name, a name with wildcards and a pattern with parentheses in it", () => {
    expect(parseRule(" * ")).toEqual({ text: "*", tool: "*", pattern: undefined });
    expect(parseRule("mcp__files__*").tool).toBe("mcp__files__*");
    expect(parseRule("shell(echo (a))").pattern).toBe("echo (a)");
  });
});

describe("shell rules", () => {
  it.each([
    ["shell(git *)", "git status"],
    ["shell(git *)", "git"],
    ["shell(git *)", "git add . && git commit -m 'a && b; rm -rf /'"],
    ["shell(git *)", 'git log --format="%h; rm"'],
    ["shell(git *)", "git log 2>&1 | git column"],
    ["shell(git *)", "git status > /dev/null 2>&1"],
    ["shell(echo *)", `echo $BRANCH \${NAME}`],
    ["shell(npm test)", "npm test"],
    ["shell(npm run *)", "npm run build \\\n --workspaces"],
    ["shell", "rm -rf / $(x)"],
    ["*", "anything > file"],
    ["shell(cat x > y)", "cat x > y"],
    ["shell(FOO=1 npm test)", "FOO=1 npm test"],
    ["shell(echo $(date\\))", "echo $(date)"],
  ])("%s allows %j", (rule, command) => {
    expect(allows(rule, shell(command))).toBe(true);
  });

  it.each([
    ["git status && rm -rf /"],
    ["git status || rm -rf /"],
    ["git status; rm -rf /"],
    ["git status | sh"],
    ["git status |& sh"],
    ["git status & rm -rf /"],
    ["git status\nrm -rf /"],
    ["git status # it's\nrm -rf /"],
    ["git log $(rm -rf /)"],
    ['git log "$(rm -rf /)"'],
    ["git log `rm -rf /`"],
    ["git diff <(rm -rf /)"],
    ["git log > ~/.bashrc"],
    ["git log >> ~/.bashrc"],
    ["git log &> ~/.bashrc"],
    ["git log >&file"],
    ["git log >&1file"],
    ["git log > /dev/nullx"],
    ["git apply < evil.patch"],
    ["git apply <<EOF\nx\nEOF"],
    ["GIT_SSH_COMMAND=evil git fetch"],
    [`git log \${x:='$(rm)'} \${x@P}`],
    ["git log $'a\\'b; rm -rf /'"],
    ["git commit -m 'open; rm -rf /"],
    ["(git status; rm -rf /)"],
    ["(git status)"],
    ["gitx status"],
    ["git\tstatus; rm"],
    ["git status \\"],
    [""],
    ["git log \0 x"],
  ])("git * does not allow %j", (command) => {
    expect(allows("shell(git *)", shell(command))).toBe(false);
  });

  it("shell(*) still asks where the words do not say what runs", () => {
    expect(allows("shell(*)", shell("rm -rf /"))).toBe(true);
    expect(allows("shell(*)", shell("echo $(rm -rf /)"))).toBe(false);
  });

  it.each([
    "rm -rf /",
    "git status && rm -rf /",
    "git log $(rm -rf /)",
    'echo "`rm -rf /`"',
    "'rm' -rf /",
    "r\\m -rf /",
    "rm\t-rf /",
    "X=1 rm -rf /",
    "sudo rm -rf /",
    "/bin/rm -rf /",
    "if true; then rm -rf /; fi",
    "(cd x && rm -rf y)",
    "cat <(rm x)",
    "ls | xargs rm -rf",
    "rm \\\n-rf /",
    "bash -c 'rm -rf /'",
    "sh -c 'cd x; rm -rf y'",
    "timeout 5 rm -rf /",
    "sudo -u root /bin/rm -rf /",
    "env -S 'rm -rf /'",
    "ls | xargs -n 1 rm",
    "find . -name x -exec rm {} +",
    "A=1 nice -n 5 rm x",
  ])("deny rm * bites on %j", (command) => {
    expect(denies("shell(rm *)", shell(command))).toBe(true);
  });

  it.each([
    "git rm-cached x",
    "npm run confirm",
    "git commit -m 'rm x; y'",
    "echo rm",
    "timeout 5 npm test",
  ])("deny rm * leaves %j", (command) => {
    expect(denies("shell(rm *)", shell(command))).toBe(false);
  });
});

describe("path rules", () => {
  it.each([
    ".git/config",
    ".git/hooks/pre-commit",
    "./.git/config",
    "sub/.GIT/config",
    ".git",
    ".callboard/config.json",
    ".husky/pre-commit",
    ".vscode/tasks.json",
  ])("with a wildcard do not allow to write %s, which decides what programs run", (path) => {
    expect(allows("write(**)", file(path))).toBe(false);
    expect(allows("write_file(**)", { ...file(path), kind: "delete" })).toBe(false);
    expect(allows("write_file(**)", { ...file(path), kind: "read" })).toBe(true);
    expect(allows("write", file(path))).toBe(true);
    expect(allows(ruleFor(file(path)) ?? "", file(path))).toBe(true);
    expect(denies("write(**)", file(path))).toBe(true);
  });

  it("may name the folder whose files decide what programs run", () => {
    expect(allows("write(.callboard/commands/**)", file(".callboard/commands/a.md"))).toBe(true);
    expect(allows("write(**)", file("src/git/.gitkeep"))).toBe(true);
  });

  it.each([
    ["write_file(src/**)", "src/a/b.ts"],
    ["write_file(src/**)", "./src/a.ts"],
    ["write(src/**)", "src/a.ts"],
    ["write(src/*.ts)", "src/a.ts"],
    ["write(src/**/*.ts)", "src/a.ts"],
    ["write(src/**/*.ts)", "src/x/y/a.ts"],
    ["write(**/*.md)", "README.md"],
    ["write(src/?.ts)", "src/a.ts"],
    ["write(/tmp/**)", "/tmp/a/b"],
    ["write(**)", "deep/er/file"],
  ])("%s allows %s", (rule, path) => {
    expect(allows(rule, file(path))).toBe(true);
  });

  it.each([
    ["write(src/*)", "src/a/b.ts"],
    ["write(src/?.ts)", "src/ab.ts"],
    ["write(src/**)", "src/../package.json"],
    ["write(src/**)", "srcs/a.ts"],
    ["write(src/**)", "../src/a.ts"],
    ["write(**)", "/etc/passwd"],
    ["write(**)", "../outside"],
    ["write(*)", "a/b"],
    ["read_file(src/**)", "src/a.ts"],
  ])("%s does not allow %s", (rule, path) => {
    expect(allows(rule, file(path))).toBe(false);
  });

  it("write means every tool of kind edit and no other", () => {
    expect(allows("write(src/**)", file("src/a", "edit_file"))).toBe(true);
    expect(allows("write(src/**)", file("src/a", "read_file", "read"))).toBe(false);
    expect(allows("write(src/**)", file("src/a", "move_file", "move"))).toBe(false);
  });

  it("sees an absolute path inside the workdir as a relative one", () => {
    expect(allows("write(src/**)", file("/home/me/app/src/a.ts"), "/home/me/app")).toBe(true);
    expect(allows("write(src/**)", file("/home/me/other/src/a.ts"), "/home/me/app")).toBe(false);
    expect(allows("write(**)", file("../other/x"), "/home/me/app")).toBe(false);
  });

  it("deny cannot be walked around by writing the path in another way", () => {
    for (const path of ["secrets/a", "./secrets/a", "x/../secrets/a", "/any/where/secrets/a"]) {
      expect(denies("write(secrets/**)", file(path))).toBe(true);
    }
    expect(denies("write(secrets/**)", file("public/a"))).toBe(false);
  });
});

describe("url and remote rules", () => {
  it("knows the host from what merely mentions it", () => {
    expect(
      allows("web_fetch(https://*.example.com/*)", fetched("https://docs.example.com/a/b?c")),
    ).toBe(true);
    expect(allows("web_fetch(https://example.com)", fetched("https://EXAMPLE.com"))).toBe(true);
    for (const url of [
      "https://evil.com/?x=.example.com/",
      "https://evil.com/.example.com/a",
      "https://docs.example.com@evil.com/",
      "https://docs.example.com:99999/",
      "http://docs.example.com/",
    ]) {
      expect(allows("web_fetch(https://*.example.com/*)", fetched(url))).toBe(false);
    }
  });

  it("covers the tools of one server", () => {
    expect(allows("mcp__files__*", remote("mcp__files__read"))).toBe(true);
    expect(allows("mcp__files__*", remote("mcp__mail__send"))).toBe(false);
    expect(allows("write(**)", { ...remote("mcp__files__write"), kind: "other" })).toBe(false);
  });
});

describe("a wildcard", () => {
  it.each([
    "git -c alias.x='!touch f' x",
    "git '-c' alias.x=!sh x",
    "git \\-c alias.x=!sh x",
    "git --exec-path=/tmp status",
    "git config alias.x '!sh'",
    "git x",
    "git bisect run sh",
    "git submodule foreach sh",
    "git rebase -x sh HEAD",
    "git rebase --exe=sh HEAD",
    "git fetch --upload-pack=sh .",
    "git fetch ext::sh",
    "git clone -c core.sshCommand=sh a",
    "git grep -Osh x",
    "git diff --output=../../f",
    "git {-c,alias.x=!sh,x}",
    "git $OPTIONS status",
    "/usr/bin/git -c alias.x=!sh x",
    "git --config-env=a=B x",
    "git grep -nO'sh -c id' x",
    "git grep --open-f=sh x",
    "git rebase -qx sh HEAD~1",
    "git clone -u 'sh;git-upload-pack' . x",
    "git clone --u=sh . x",
    "git clone -qc core.fsmonitor=sh . x",
    "git clone --conf core.fsmonitor=sh . x",
    "git clone --template=evil . x",
    "git init --templ evil",
    "git ls-remote --exe=sh .",
    "git format-patch -ko ../../f HEAD~1",
    "git apply --unsafe-paths x.patch",
  ])("does not mean %s", (line) => {
    expect(allows("shell(git *)", shell(line))).toBe(false);
    expect(allows("shell(*)", shell(line))).toBe(true);
    expect(allows("shell", shell(line))).toBe(true);
    expect(allows(ruleFor(shell(line)) ?? "", shell(line))).toBe(true);
  });

  it.each([
    "git status",
    "git",
    "git --version",
    "git log --oneline -5",
    "git commit -m 'fix: $HOME is {a,b}*'",
    "git switch -c topic",
    "git diff --stat HEAD~1",
    "git push origin main",
    "git grep -n x",
    "git rebase -q main",
    "git clean -fdx",
    "git clone https://example.org/a.git",
    "git diff --unified=3 -- src/exec.ts",
  ])("means %s", (line) => {
    expect(allows("shell(git *)", shell(line))).toBe(true);
  });

  it.each([
    ["find *", "find . -name x -exec sh {} +"],
    ["find *", "find . -exec touch f '+'"],
    ["find *", "find . -delete"],
    ["rg *", "rg --pre sh x"],
    ["sort *", "sort a -o ../b"],
    ["tar *", "tar xf a --to-command=sh"],
    ["tar *", "tar cfI a.tar 'sh -c id' b"],
    ["tar *", "tar -xIf sh a"],
    ["tar *", "tar cf a -ML1 --inf=sh b"],
    ["tar *", "tar cf a -ML1 --new-=sh b"],
    ["sort *", "sort -uo ../b a"],
    ["sort *", "sort --outp=../b a"],
    ["fd *", "fd -Hx sh"],
    ["rg *", "rg --pre=sh x"],
    ["sed *", "sed -n '1e id' a"],
    ["sed *", "sed 's/a/id/e' a"],
    ["sed *", "sed -n 'w ../b' a"],
    ["sed *", "sed -ni p a"],
    ["sed *", "sed -e 1e a"],
    ["awk *", "awk 'BEGIN{system(\"id\")}'"],
    ["awk *", "awk '{print > \"../b\"}' a"],
    ["awk *", "awk -f a b"],
    ["uniq *", "uniq a ../b"],
    ["printf *", "printf -v 'a[$(id)]' x"],
    ["printf *", "printf -v PATH %s /tmp"],
    ["test *", "test -v 'a[$(id)]'"],
    ["export *", "export PATH=/tmp"],
    ["hash *", "hash -p /tmp/git git"],
    ["make *", "make --eval='$(shell id)' x"],
    ["npm *", "npm test --script-shell=./x"],
    ["go *", "go test -exec sh ./x"],
    ["cargo *", "cargo test --config a=1"],
  ])("of %s does not mean %s", (pattern, line) => {
    expect(allows(`shell(${pattern})`, shell(line))).toBe(false);
  });

  it.each([
    ["tar *", "tar xf a.tar"],
    ["sort *", "sort -rn a"],
    ["rg *", "rg --pretty -n x"],
    ["sed *", "sed -n 10,20p a"],
    ["sed *", "sed -n '/start/,/end/p' a"],
    ["sed *", "sed -E 's/a(b)/\\1/g' a"],
    ["awk *", "awk -F: '{print $1}' a"],
    ["uniq *", "uniq -c a"],
    ["printf *", "printf '%s' x"],
    ["npm test *", "npm test -- --verbose"],
    ["go test *", "go test -run X ./x"],
  ])("of %s means %s", (pattern, line) => {
    expect(allows(`shell(${pattern})`, shell(line))).toBe(true);
  });

  it("does not hide a redirection behind its length", () => {
    const long = `echo x >&${"1".repeat(62)}/../../f`;
    expect(allows("shell(echo *)", shell(long))).toBe(false);
    expect(allows("shell(echo *)", shell("echo x >&2"))).toBe(true);
    expect(allows("shell(echo *)", shell(`echo x >${" ".repeat(80)}/dev/null`))).toBe(true);
    expect(allows("shell(echo *)", shell(`echo x >${" ".repeat(80)}/dev/nullx`))).toBe(false);
  });
});

describe("what always saves", () => {
  it("is exactly the command, the path, the address, or the remote tool", () => {
    expect(ruleFor(shell("npm test"))).toBe("shell(npm test)");
    expect(ruleFor(shell("ls *.ts"))).toBe("shell(ls \\*.ts)");
    expect(ruleFor(file("src/a.ts"))).toBe("write_file(src/a.ts)");
    expect(ruleFor(fetched("https://a.dev/x?y"))).toBe("web_fetch(https://a.dev/x\\?y)");
    expect(ruleFor(remote("mcp__files__read"))).toBe("mcp__files__read");
  });

  it.each(["", "  ", undefined])("is nothing for a call with the target %j", (target) => {
    const subject = { toolName: "todo", kind: "think", target, input: {} };
    expect(ruleFor(subject)).toBeUndefined();
    expect(optionsFor(subject).map(({ optionId }) => optionId)).toEqual([
      "allow_once",
      "reject_once",
    ]);
    expect(choiceOf(subject, "allow_always")).toBeUndefined();
    expect(choiceOf(subject, "allow_once")).toEqual({ allowed: true, keeps: "nothing" });
  });

  it.each([
    [shell("npm test"), "shell(npm test *)"],
    [shell("git log --oneline -5"), "shell(git log *)"],
    [shell("npm run build:all -- --fast"), "shell(npm run build:all *)"],
    [shell("ls -la src"), "shell(ls *)"],
    [file("src/deep/a.ts"), "write(src/deep/**)"],
    [fetched("https://a.dev/x?y"), "web_fetch(https://a.dev/*)"],
  ])("has a wider rule beside it, which allows the same call: %j", (subject, rule) => {
    expect(widerRuleFor(subject)).toBe(rule);
    expect(allows(rule, subject)).toBe(true);
  });

  it.each([
    ...["rm -rf build", "sudo ls", "bash -c 'ls'", "npm test && rm x", "echo $(ls)", "curl a.dev"],
    ...["git push origin main", "git --version", "./script.sh", "FOO=1 npm test", "npm publish"],
    ...["timeout 5 npm test", "export A=1", "source x"],
  ])("has no wider rule for %j", (line) => {
    expect(widerRuleFor(shell(line))).toBeUndefined();
  });

  it("has no wider rule for a file at the top or outside, and for a tool of a server", () => {
    expect(widerRuleFor(file("a.ts"))).toBeUndefined();
    expect(widerRuleFor(file("/etc/passwd"))).toBeUndefined();
    expect(widerRuleFor(file("../x/a.ts"))).toBeUndefined();
    expect(widerRuleFor(file(".git/hooks/pre-commit"))).toBeUndefined();
    expect(widerRuleFor(remote("mcp__files__read"))).toBeUndefined();
  });

  it("offers the six answers with the exact rule and the wider one", () => {
    expect(optionsFor(shell("npm test"))).toEqual([
      { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
      {
        optionId: "allow_session",
        name: "Allow shell(npm test) for this session",
        kind: "allow_always",
      },
      {
        optionId: "allow_always",
        name: "Always allow shell(npm test)",
        kind: "allow_always",
        rule: "shell(npm test)",
      },
      {
        optionId: "allow_pattern",
        name: "Always allow shell(npm test *)",
        kind: "allow_always",
        rule: "shell(npm test *)",
      },
      { optionId: "reject_once", name: "Reject", kind: "reject_once" },
      {
        optionId: "reject_always",
        name: "Always reject shell(npm test)",
        kind: "reject_always",
        rule: "shell(npm test)",
      },
    ]);
    expect(
      optionsFor(shell("npm test")).map((one) => choiceOf(shell("npm test"), one.optionId)),
    ).toEqual([
      { allowed: true, keeps: "nothing" },
      { allowed: true, keeps: "session", rule: "shell(npm test)" },
      { allowed: true, keeps: "saved", rule: "shell(npm test)" },
      { allowed: true, keeps: "saved", rule: "shell(npm test *)" },
      { allowed: false, keeps: "nothing" },
      { allowed: false, keeps: "saved", rule: "shell(npm test)" },
    ]);
    expect(choiceOf(shell("npm test"), "allow_everything")).toBeUndefined();
  });

  it("allows and denies what it was made for, whatever that is", async () => {
    const target = fc.string({ unit: "binary-ascii", maxLength: 40 });
    await fc.assert(
      fc.property(target, fc.constantFrom("execute", "edit", "fetch", "other"), (text, kind) => {
        const subject = { toolName: "tool", kind, target: text, input: {} };
        fc.pre(text.trim() !== "");
        const rule = ruleFor(subject) ?? "";
        expect(allows(rule, subject)).toBe(true);
        expect(denies(rule, subject)).toBe(true);
      }),
    );
  });

  it("never allows another command", async () => {
    const command = fc.stringMatching(/^[a-z *?\\;&|$(){}<>'"`]{1,20}$/);
    await fc.assert(
      fc.property(command, command, (saved, other) => {
        fc.pre(saved.trim() !== "" && saved.trim() !== other.trim());
        fc.pre(saved.trim().split(/\s+/).join(" ") !== other.trim().split(/\s+/).join(" "));
        const reduced = other.replace(/[\s;&|]+/g, " ").trim();
        fc.pre(!reduced.includes(saved.trim().replace(/\s+/g, " ")));
        expect(allows(ruleFor(shell(saved)) ?? "", shell(other))).toBe(false);
      }),
    );
  });
});
