/** `node dist/prepare-data-cli.js`: packs the data folder for a first start, unless it is packed. */
import { prepareData } from "./folder/prepareData.js";

const { path, bytes, isNew } = await prepareData();
if (isNew) console.log(`prepared ${path} (${(bytes / 1e6).toFixed(1)} MB)`);
