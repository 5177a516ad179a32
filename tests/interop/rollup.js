// Serves an embedded rollup for the time of a test file, and asks its indexer API.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../target/debug/rollscope", import.meta.url));

/** A rollup of this virtual machine, whose blocks stand still unless told otherwise: `{ url, get, post, stop }`. */
export async function serve(vm, blockTime = "1h") {
  const program = process.env.ROLLSCOPE ?? built;
  const options = ["--vm", vm, "--history", "60", "--block-time", blockTime, "--accounts", "60", "--listen", "127.0.0.1:0"];
  const child = spawn(program, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((found, failed) => {
    child.once("error", failed);
    child.once("exit", (code) => failed(new Error(`it ended with ${code}`)));
    let line = "";
    child.stdout.on("data", (bytes) => {
      line += bytes;
      if (line.includes("\n")) found(line.split("\n")[0].trim());
    });
  });
  const get = async (path) => {
    const answer = await fetch(url + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const post = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return { url, get, post, stop: () => child.kill() };
}
