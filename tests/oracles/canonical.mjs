// Answers each line, a JSON document, with the canonical text that the npm package canonicalize gives it.

import { readFileSync, writeFileSync } from "node:fs";
import canonicalize from "canonicalize";

function answer(line) {
  try {
    return canonicalize(JSON.parse(line));
  } catch (error) {
    return `error: ${error.message}`;
  }
}

const [stdin, stdout] = [0, 1];
const lines = readFileSync(stdin, "utf8").split("\n").slice(0, -1);
writeFileSync(stdout, lines.map((line) => answer(line) + "\n").join(""));
