/* write.mjs -- a table with every type that matters: visits.csv, visits.jsonl, and Parquet in three
 * compressions, by a library of its own, in several groups of rows. */
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { ByteWriter, parquetWrite } from "hyparquet-writer";

const WARDS = ["surgery", "heart", 'eyes, "left"', "zürich"];
let state = 7;
const draw = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;

const rows = [];
for (let i = 0; i < 2500; i++) {
    const day = new Date(Date.UTC(2024, draw(12), 1 + draw(28)));
    const age = i % 11 === 3 ? null : 20 + draw(70);
    const bill = draw(1000000) / 100;
    rows.push({ id: 9007199254740993n + BigInt(i), day, at: new Date(day.getTime() + 1000 * draw(86400)),
        ward: WARDS[draw(4)], age, bill, ratio: draw(1000) / 1024, new: draw(2) === 1,
        left: bill + 40 * (age ?? 50) > 7000 ? "yes" : "no" });
}
const date = (d) => d.toISOString().slice(0, 10);
const cells = (r) => [String(r.id), date(r.day), r.at.toISOString(), r.ward, r.age, r.bill, r.ratio, r.new, r.left];
const names = Object.keys(rows[0]);
const quoted = (v) => v === null ? "" : /[",]/.test(v) ? `"${v.replaceAll('"', '""')}"` : String(v);
writeFileSync("visits.csv", [names, ...rows.map(cells)].map((r) => r.map(quoted).join() + "\n").join(""));
const json = (r) => "{" + cells(r).map((v, i) =>
    `${JSON.stringify(names[i])}:${i === 0 ? v : JSON.stringify(v)}`).join() + "}\n";
writeFileSync("visits.jsonl", rows.map(json).join(""));
writeFileSync("first.jsonl", json(rows[0]));

const column = (name, type) => ({ name, type, data: rows.map((r) => r[name]) });
const schema = [
    { name: "root", num_children: 9 },
    { name: "id", type: "INT64", repetition_type: "REQUIRED" },
    { name: "day", type: "INT32", converted_type: "DATE", repetition_type: "REQUIRED" },
    { name: "at", type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type: "REQUIRED" },
    { name: "ward", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
    { name: "age", type: "INT32", repetition_type: "OPTIONAL" },
    { name: "bill", type: "DOUBLE", repetition_type: "REQUIRED" },
    { name: "ratio", type: "FLOAT", repetition_type: "REQUIRED" },
    { name: "new", type: "BOOLEAN", repetition_type: "REQUIRED" },
    { name: "left", type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "REQUIRED" },
];
for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP"]) {
    const writer = new ByteWriter();
    parquetWrite({ writer, schema, columnData: names.map((n) => column(n)), codec, rowGroupSize: 700,
        compressors: { GZIP: (bytes) => new Uint8Array(gzipSync(bytes)) } });
    writeFileSync(`visits.${codec.toLowerCase()}.parquet`, new Uint8Array(writer.getBuffer()));
}
