/** `npm run bench [name …]`: every benchmark, each with a baseline that it measures itself; figures as JSON lines. */
import { readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const wanted = process.argv.slice(2)
const names = readdirSync(folder)
  .filter((file) => /^[a-z-]+\.ts$/.test(file) && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''))

process.stdout.write(
  `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem() })}\n`,
)
for (const name of names) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const module = (await import(`./${name}.ts`)) as {
    run?: () => Promise<{ name: string; figures: Record<string, number | string> }>
  }
  // A file without `run` is a part of another benchmark.
  if (!module.run) continue
  process.stdout.write(`${JSON.stringify(await module.run())}\n`)
}
process.exit(0)
