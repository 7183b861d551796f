import { hostNotify } from "../../05_host.js";

const at = (level) => (message, context) => {
  if (context === undefined) hostNotify("log", level, String(message));
  else hostNotify("log", level, String(message), context);
};

/** Writes to the engine's log, never to stdout. */
export const logger = Object.freeze({ error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") });
