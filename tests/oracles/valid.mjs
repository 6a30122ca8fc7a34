// Says of instances whether ajv, the npm package, finds them valid.
//
// A line is `schema` or `instance`, and after tabs a name and a JSON text. Only instances are answered, with
// `true` or `false`. Schemas count as 2020-12, whatever they say; formats are not asserted.

import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const schemas = new Map();

function compile(text) {
  const schema = JSON.parse(text);
  delete schema.$schema;
  return new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(schema);
}

function answer(line) {
  const [kind, name, text] = line.split("\t");
  if (kind === "instance") return `${schemas.get(name)(JSON.parse(text))}\n`;
  schemas.set(name, compile(text));
  return "";
}

const [stdin, stdout] = [0, 1];
const lines = readFileSync(stdin, "utf8").split("\n").slice(0, -1);
writeFileSync(stdout, lines.map(answer).join(""));
