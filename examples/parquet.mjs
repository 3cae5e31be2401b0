/* parquet.mjs FILE.parquet [COLUMN...] -- a Parquet file as JSON lines, an object a row.
 *
 *     npm install hyparquet hyparquet-compressors
 *     node parquet.mjs visits.parquet | perceptron train - -o model.safetensors
 *
 * One group of rows is in memory at a time. Whole numbers keep all digits, days are 2024-03-31 and
 * times 2024-03-31T13:05:00.000Z, what is no number (NaN) or not there is null. Columns that are
 * named are read, and no others.
 */
import { openSync, readSync, fstatSync } from "node:fs";
import { once } from "node:events";
import { parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

/* What hyparquet reads from: bytes by their places. */
function open(path) {
    const fd = openSync(path);
    const byteLength = fstatSync(fd).size;
    return { byteLength, slice(start, end = byteLength) {
        const bytes = new Uint8Array(end - start);
        for (let at = 0, got; at < bytes.length; at += got)
            if ((got = readSync(fd, bytes, at, bytes.length - at, start + at)) === 0)
                throw new Error(`${path} ends at byte ${start + at}`);
        return bytes.buffer;
    } };
}

/* The text of a value in JSON. */
function text(value, day) {
    if (value === null || value === undefined || Number.isNaN(value)) return "null";
    if (typeof value === "bigint") return String(value);
    if (value instanceof Date) return JSON.stringify(value.toISOString().slice(0, day ? 10 : 24));
    if (Array.isArray(value)) return `[${value.map((v) => text(v, day)).join()}]`;
    if (typeof value === "object")
        return `{${Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}:${text(v, false)}`).join()}}`;
    return JSON.stringify(value);
}

const [path, ...columns] = process.argv.slice(2);
if (path === undefined) {
    console.error("usage: node parquet.mjs FILE.parquet [COLUMN...]");
    process.exit(2);
}
process.stdout.on("error", () => process.exit(1)); // whoever was reading went away
const file = open(path);
const metadata = await parquetMetadataAsync(file);
const days = new Set(metadata.schema.filter((e) => e.converted_type === "DATE" || e.logical_type?.type === "DATE")
    .map((e) => e.name));
let rowStart = 0;
for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd,
        columns: columns.length ? columns : undefined });
    for (const row of rows) {
        const cells = Object.entries(row).map(([k, v]) => `${JSON.stringify(k)}:${text(v, days.has(k))}`);
        if (!process.stdout.write(`{${cells.join()}}\n`)) await once(process.stdout, "drain");
    }
    rowStart = rowEnd;
}
