import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runLines } from './shared-lines.ts'

it('a line that waited to choose begins nothing when the work from before has ended meanwhile', async () => {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<undefined>()
  const begun: string[] = []
  let takes = 0
  const running = runLines(50, [
    {
      count: 3,
      perCustomer: 3,
      failing: false,
      take: async () => {
        takes++
        if (takes === 1) return { customerId: 1, name: 'from before' }
        if (takes === 2) return await second.promise
        return { customerId: 1, name: 'too late' }
      },
      serve: ({ name }) => {
        begun.push(name)
        return first.promise
      },
    },
  ])
  // Two lines: one looks for work, and one waits until that has ended.
  await sleep(100)
  expect({ begun, takes }).toEqual({ begun: ['from before'], takes: 2 })
  first.resolve()
  await sleep(0)
  second.resolve(undefined)
  expect(await running).toBe(1)
  expect({ begun, takes }).toEqual({ begun: ['from before'], takes: 2 })
})

it('lines that found nothing serve what the first piece of work leaves for them', async () => {
  const begun: string[] = []
  let failed = false
  const sort = (failing: boolean, of: () => string | undefined) => ({
    count: 2,
    perCustomer: 2,
    failing,
    take: async () => {
      // The lines for what has failed find nothing long before the first piece of work is taken.
      if (!failing) await sleep(20)
      const name = of()
      return name === undefined ? undefined : { customerId: 1, name }
    },
    serve: async ({ name }: { name: string }) => {
      begun.push(name)
      failed = true
    },
  })
  const fresh = ['first']
  const again = ['of the same channel']
  await runLines(60_000, [
    sort(false, () => fresh.shift()),
    sort(true, () => (failed ? again.shift() : undefined)),
  ])
  expect(begun).toEqual(['first', 'of the same channel'])
})
