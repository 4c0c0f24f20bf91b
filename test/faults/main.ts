/** `npm run faults several [--devices 2000] [--short]`: ends with 1 if anything acknowledged was lost, or anything else is wrong. */
import { parseArgs } from 'node:util'
import { lacking } from './machine.ts'
import { faultsIn, fullTrial, runSeveral, type Step, shortTrial } from './several.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { devices: { type: 'string', default: '2000' }, short: { type: 'boolean', default: false } },
})
const devices = Number(values.devices)
if (positionals.join() !== 'several' || !(Number.isInteger(devices) && devices >= 10 && devices <= 4_000)) {
  process.stderr.write('usage: npm run faults several [--devices 10…4000] [--short]\n')
  process.exit(2)
}
if (lacking.length > 0) {
  process.stderr.write(`cannot run: ${lacking.join(', ')} of Debian's packages is missing\n`)
  process.exit(2)
}
const line = ({ step, seconds, acknowledged, perBroker }: Record<keyof Step, string | number>) =>
  `${String(step).padEnd(40)}${String(seconds).padStart(9)}${String(acknowledged).padStart(14)}   ${perBroker}\n`

const trial = values.short ? shortTrial : fullTrial(devices)
process.stdout.write(
  line({
    step: `${trial.devices} devices`,
    seconds: 'seconds',
    acknowledged: 'acknowledged',
    perBroker: 'per broker',
  }),
)
try {
  const verdict = await runSeveral(trial, (step) => process.stdout.write(line(step)))
  process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
  const faults = faultsIn(verdict, trial)
  process.stdout.write(faults.length === 0 ? 'nothing was lost\n' : `${faults.join('\n')}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
  process.exit(1)
}
