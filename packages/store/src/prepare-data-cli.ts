/** `node dist/prepare-data-cli.js`: packs the data folder that a first start begins with. */
import { prepareData } from "./folder/prepareData.js";

const { path, bytes, isNew } = await prepareData();
const size = `${(bytes / 1e6).toFixed(1)} MB`;
console.log(isNew ? `prepared ${path} (${size})` : `${path} is up to date (${size})`);
