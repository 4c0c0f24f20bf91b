/** `npm run faults several`, in short: the same steps with forty devices. */
import { expect, it } from 'vitest'
import { lacking } from '../faults/machine.ts'
import { faultsIn, runSeveral, type Step, shortTrial } from '../faults/several.ts'

if (lacking.length > 0)
  process.stderr.write(`SKIPPED: the trial of several machines (no ${lacking.join(', ')})\n`)

it.skipIf(lacking.length > 0)(
  'two of each room lose nothing while everything is killed, taken away and restarted, and share the fleet again',
  { timeout: 300_000 },
  async () => {
    const steps: Step[] = []
    const verdict = await runSeveral(shortTrial, (step) => steps.push(step))
    expect(faultsIn(verdict, shortTrial)).toEqual([])
    // Under a fleet that talked all the time.
    expect(steps.filter(({ acknowledged }) => acknowledged === 0)).toEqual([])
  },
)
