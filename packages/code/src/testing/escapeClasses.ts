/**
 * The ways in which text can act on a terminal instead of being shown, one example of each. Every one is
 * planted wherever foreign text comes from: model text, tool output, file names, session titles.
 */
export const escapeClasses: readonly (readonly [name: string, text: string])[] = [
  ["bell and other C0 controls", "\u0007\u0000\u0005\u000b\u000c"],
  ["backspace over what was said", "yes\b\b\bno"],
  ["carriage return over the line", "rm -rf /\recho ok"],
  ["shift out to another character set", "\u000eqqq\u000f"],
  ["delete", "a\u007fb"],
  ["SGR: colour and concealed text", "\u001b[8mhidden\u001b[0m"],
  ["cursor movement", "\u001b[5A\u001b[3D\u001b[H"],
  ["erasing the screen or a line", "\u001b[2J\u001b[2K\u001b[3J"],
  ["scrolling region and scrolling", "\u001b[1;3r\u001b[4S"],
  ["private modes: other screen, mouse", "\u001b[?1049h\u001b[?1003h\u001b[?25l"],
  ["device queries that answer as input", "\u001b[6n\u001b[c\u001b[>0q"],
  ["window operations that report the title", "\u001b[21t\u001b[8;1;1t"],
  ["keyboard modes", "\u001b[>4;2m\u001b[=1;1u"],
  ["inserting and repeating characters", "\u001b[20@\u001b[999b"],
  ["OSC 0 and 2: the title", "\u001b]0;owned\u0007\u001b]2;owned\u001b\\"],
  ["OSC 8: a link that lies", "\u001b]8;;https://evil.example\u001b\\docs\u001b]8;;\u001b\\"],
  ["OSC 52: the clipboard", "\u001b]52;c;cm0gLXJmIC8=\u0007"],
  ["OSC 4, 10, 11: palette queries", "\u001b]4;0;?\u0007\u001b]11;?\u001b\\"],
  ["OSC 9, 777, 1337: notices and files", "\u001b]9;hi\u0007\u001b]1337;File=:AAAA\u0007"],
  ["OSC 133 and 633: shell marks", "\u001b]133;A\u0007\u001b]633;E;evil\u0007"],
  [
    "DCS: sixel, settings, tmux passthrough",
    '\u001bP$q"p\u001b\\\u001bPtmux;\u001b\u001b]0;x\u0007\u001b\\',
  ],
  ["APC, PM and SOS strings", "\u001b_Gf=24;AAAA\u001b\\\u001b^pm\u001b\\\u001bXsos\u001b\\"],
  ["single escapes: reset, save, charset", "\u001bc\u001b7\u001b8\u001b(0\u001b#8\u001b="],
  ["8-bit C1 introducers", "\u009b2J\u009d0;owned\u009c\u0090q\u009c\u009fG\u009c\u0085"],
  ["bidi controls and line separators", "a\u202eb\u2066c\u2069\u200f\u061c\u2028d\u2029e"],
  ["invisible text: tags, zero width, marks", "a\u{e0041}\u200b\u2060\ufeff\ufff9b\ud800"],
];

/** What must never reach a terminal; line ends and tabs may. */
export const forbidden =
  /[^\P{Cc}\t\n]|\p{Cs}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
