/** The clients that are tried: which page, with which versions. */

/**
 * @typedef {object} PageClient
 * @property {string} name
 * @property {import("./pageSite.js").PageSource} source
 * @property {readonly string[]} versions the packages whose versions the table names
 * @property {Readonly<Record<string, string>>} [without] what the client itself does not do, and why
 * @property {Readonly<Record<string, string>>} [known] what is known not to work, and why
 */

const react = (version) => (version === 19 ? "react" : "react-18");

/** @returns {PageClient} */
function aiSdk(sdk, reactVersion) {
  return {
    name: `useChat ${sdk}`,
    source: {
      file: "useChat.js",
      packages: { "#ai": `ai-${sdk}`, "#ai-react": `ai-react-${sdk}` },
      constants: { SDK_VERSION: `"${sdk}"` },
      react: reactVersion,
    },
    versions: [`ai-${sdk}`, `ai-react-${sdk}`, react(reactVersion)],
  };
}

/** @returns {PageClient} */
function agUi(name, target, reactVersion) {
  return {
    name,
    source: { file: "agUi.js", packages: { "#ag-ui": target }, react: reactVersion },
    versions: [target, react(reactVersion)],
  };
}

/** @returns {PageClient} */
function assistantAiSdk(reactVersion) {
  return {
    name: "assistant-ui over AI SDK 7",
    source: {
      file: "assistantAiSdk.js",
      packages: { "#ai": "ai-7", "#ai-react": "ai-react-7" },
      react: reactVersion,
    },
    versions: ["@assistant-ui/react", "@assistant-ui/react-ai-sdk", "ai-7", react(reactVersion)],
  };
}

/** @returns {PageClient} */
function assistantAgUi(reactVersion) {
  return {
    name: "assistant-ui over AG-UI",
    source: {
      file: "assistantAgUi.js",
      packages: { "#ag-ui": "ag-ui-client-0" },
      react: reactVersion,
    },
    versions: [
      "@assistant-ui/react",
      "@assistant-ui/react-ag-ui",
      "ag-ui-client-0",
      react(reactVersion),
    ],
  };
}

/** @returns {PageClient} */
function copilotKit(reactVersion) {
  return {
    name: "CopilotKit",
    source: {
      file: "copilotKit.js",
      packages: { "#ag-ui": "@copilotkit/react-core/node_modules/@ag-ui/client" },
      react: reactVersion,
    },
    versions: ["@copilotkit/react-core", react(reactVersion)],
  };
}

/** @type {readonly ((reactVersion: 18 | 19) => PageClient)[]} */
const makers = [
  (version) => aiSdk(5, version),
  (version) => aiSdk(6, version),
  (version) => aiSdk(7, version),
  (version) => agUi("AG-UI 0.0", "ag-ui-client-0", version),
  (version) => agUi("AG-UI 1.0", "@ag-ui/client", version),
  assistantAiSdk,
  assistantAgUi,
  copilotKit,
];

export const pageClients = makers.flatMap((make) => [make(18), make(19)]);
