/** The clients that are tried: which page, with which versions. */

/**
 * @typedef {object} PageClient
 * @property {string} name
 * @property {import("./pageSite.js").PageSource} source
 * @property {readonly string[]} versions the packages whose versions the table names
 * @property {Readonly<Record<string, string>>} [without] what the client itself has no words for, and why
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

/** @type {readonly PageClient[]} */
export const pageClients = [
  aiSdk(6, 19),
  aiSdk(6, 18),
  aiSdk(7, 19),
  aiSdk(7, 18),
  aiSdk(5, 19),
  aiSdk(5, 18),
  agUi("AG-UI 1.0", "@ag-ui/client", 19),
  agUi("AG-UI 0.0", "ag-ui-client-0", 18),
];
