import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStage } from '../bench/stage.mjs';
import { seededRandom } from '../chaos/random.mjs';
import { built } from '../lib/built.mjs';
import { ROOT } from '../lib/paths.mjs';
import { TargetEnded } from './finding.mjs';
import { headers, json, multipart } from './http-targets.mjs';
import { decode, probe } from './image-targets.mjs';
import { manifest, onnx } from './model-targets.mjs';
import { mutated } from './mutate.mjs';
import { runSchemathesis } from './schema-target.mjs';

const TARGETS = [probe, decode, manifest, onnx, json, multipart, headers];
const OUT = join(ROOT, 'out', 'fuzz');
/** Further findings of one target add little. */
const MAX_FINDINGS = 10;
/** Schemathesis alone takes seconds to start. */
const MIN_SCHEMA_SECONDS = 30;

/**
 * Runs the targets one after the other, each for an equal share of the time.
 * @returns {Promise<{ findings: number }>}
 */
export async function runFuzz({ minutes, cases, seed, targets }, say) {
  mkdirSync(OUT, { recursive: true });
  const seconds = (minutes * 60) / targets.length;
  /** @type {ReturnType<typeof openApi> | undefined} */
  let opened;
  const stage = () => (opened ??= openApi());
  let findings = 0;
  try {
    for (const target of TARGETS.filter(({ name }) => targets.includes(name)))
      findings += await runTarget(target, { seconds, maxCases: cases, seed, stage }, say);
    if (targets.includes('schema')) findings += schema(await stage(), { seconds, seed }, say);
  } finally {
    if (opened !== undefined) await (await opened).close();
  }
  say(`${findings} findings with seed ${seed}`);
  return { findings };
}

/** Starts an api and creates a key with all scopes, because a request that a guard rejects is not processed further. */
async function openApi() {
  const stage = await openStage({ api: { SIGN_IN_ATTEMPTS_PER_MINUTE: '100000' } });
  const { SCOPES } = await built('kernel/scopes.js');
  const { withClient } = await built('infra/database/with-client.js');
  await withClient({ connectionString: stage.databaseUrl }, (client) =>
    client.query('UPDATE api_keys SET scopes = $1', [[...SCOPES]]),
  );
  return stage;
}

/** @returns the number of findings */
export async function runTarget(target, { seconds, maxCases, seed, stage, out = OUT }, say) {
  const seeds = await target.seeds();
  const { run, check, close } = await target.open(stage);
  const random = seededRandom(seed, target.name);
  const counts = { accepted: 0, refused: 0, contained: 0 };
  let [cases, findings, hasEnded] = [0, 0, false];
  const report = (error, input) => {
    findings += 1;
    hasEnded = error instanceof TargetEnded;
    say(`✗ ${target.name}: ${error.message}\n  input: ${input}`);
  };
  try {
    const endMs = performance.now() + seconds * 1_000;
    while (performance.now() < endMs && cases < maxCases) {
      // Starts with the unmodified seeds: a target that rejects all of them tests nothing.
      const bytes = cases < seeds.length ? seeds[cases] : mutated(seeds, random);
      cases += 1;
      try {
        counts[await run(bytes)] += 1;
      } catch (error) {
        const path = join(out, `${target.name}-${seed}-${cases}.bin`);
        writeFileSync(path, bytes);
        report(error, path);
        if (hasEnded || findings === MAX_FINDINGS) break;
      }
    }
    if (!hasEnded) await check?.().catch((error) => report(error, 'one of the last'));
  } finally {
    await close();
  }
  const { accepted, refused, contained } = counts;
  say(
    `${target.name}: ${cases} cases, ${accepted} accepted, ${refused} refused, ${contained} contained, ${findings} findings`,
  );
  return findings;
}

function schema(stage, options, say) {
  const {
    skipped,
    findings = 0,
    cases,
    text = '',
  } = runSchemathesis(stage, {
    ...options,
    seconds: Math.max(options.seconds, MIN_SCHEMA_SECONDS),
  });
  say(
    skipped === undefined
      ? `schema: ${cases}, ${findings} findings${findings > 0 ? `\n${text}` : ''}`
      : `schema: skipped, ${skipped}`,
  );
  return findings;
}
