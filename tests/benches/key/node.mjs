// Keys by npm `canonicalize` and Node's crypto; how it is called and answers: foreign.rs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [library, verb, target, ...inputs] = process.argv.slice(2);
const loaded = await import(createRequire(import.meta.url).resolve(library));
const canonicalize = loaded.default ?? loaded.canonicalize;

function key(text) {
  const hash = createHash("sha256");
  hash.update(`${verb}|${target}|`);
  hash.update(canonicalize(JSON.parse(text)));
  return hash.digest("hex");
}

for (let index = 0; index * 3 < inputs.length; index++) {
  const [path, rounds, times] = inputs.slice(index * 3, index * 3 + 3);
  const text = readFileSync(path, "utf8");
  let best = Infinity;
  for (let round = 0; round < Number(rounds); round++) {
    const start = process.hrtime.bigint();
    for (let time = 0; time < Number(times); time++) key(text);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / Number(times));
  }
  console.log(["npm canonicalize + crypto", index, Math.round(best), key(text)].join("\t"));
}
