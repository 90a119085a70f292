/** The names by which a log knows a question to the person. Apart from its schema: lists need only these. */

export const askToolName = "ask_user";
/** The person or client that a question is delegated to, as the log has it. */
export const askedPerson = "user";
