import { expect, it } from 'vitest'
import { LOOK_MS, Shares } from './balance.ts'

type Broker = { name: string; shares: Shares; devices: number; letGo: number }
const broker = (name: string, devices: number): Broker => ({ name, shares: new Shares(), devices, letGo: 0 })
const least = (all: readonly Broker[]) => all.toSorted((a, b) => a.devices - b.devices)[0]

/** Runs a round of all brokers in turn. Disconnected devices arrive at the broker given by `lead`, before the next round. */
function pass(
  all: readonly Broker[],
  looks: number,
  lead: (from: Broker) => Broker | undefined = () => least(all),
  at = 0,
): number {
  let now = at
  for (let look = 0; look < looks; look++) {
    now += LOOK_MS
    for (const one of all)
      for (const other of all) if (other !== one) other.shares.heard(one.name, one.devices, now)
    const gone = all.map((one) => one.shares.look(one.devices, now))
    for (const [i, one] of all.entries()) {
      one.devices -= gone[i] ?? 0
      one.letGo += gone[i] ?? 0
    }
    for (const [i, one] of all.entries())
      for (let n = gone[i] ?? 0; n > 0; n--) {
        const to = lead(one)
        if (to) to.devices++
      }
  }
  return now
}

it.each([[[2_000, 0]], [[40, 0]], [[900, 1_000, 0, 100]], [[0, 0, 30_000]]])(
  'brings %j to like shares, and lets go of no more devices than that takes',
  (fleets) => {
    const all = fleets.map((devices, i) => broker(`b${i}`, devices))
    const fair = fleets.reduce((sum, n) => sum + n, 0) / fleets.length
    const tooMany = fleets.reduce((sum, n) => sum + Math.max(0, n - fair), 0)
    pass(all, 200)
    const tolerated = Math.max(8, fair * 0.1)
    for (const { devices } of all) expect(Math.abs(devices - fair)).toBeLessThanOrEqual(tolerated + 1)
    expect(all.reduce((sum, { letGo }) => sum + letGo, 0)).toBeLessThanOrEqual(tooMany * 1.1)
  },
)

it.each([[[500, 500]], [[520, 480]], [[8, 0]], [[1_000]]])('leaves %j alone', (fleets) => {
  const all = fleets.map((devices, i) => broker(`b${i}`, devices))
  pass(all, 100)
  expect(all.map(({ devices }) => devices)).toEqual(fleets)
})

it('gives up, for longer each time, where devices come back to the same broker', () => {
  const all = [broker('a', 1_000), broker('b', 0)]
  pass(all, 3_600, (from) => from)
  expect(all[0]?.letGo).toBeGreaterThan(0)
  // Two hours: a few devices at a time, six times.
  expect(all[0]?.letGo).toBeLessThan(200)
})

it('waits while a fleet arrives', () => {
  const all = [broker('a', 100), broker('b', 0)]
  const [first] = all
  for (let look = 0; look < 50; look++) {
    pass(all, 1, () => least(all), look * LOOK_MS)
    if (first) first.devices += 50
  }
  expect(first?.letGo).toBe(0)
})

it('stops as soon as another broker leaves, or is silent', () => {
  for (const gone of ['leaves', 'silent']) {
    const shares = new Shares()
    let now = 0
    let letGo = 0
    for (let look = 0; letGo === 0 && look < 20; look++) {
      now += LOOK_MS
      shares.heard('b', 0, now)
      letGo += shares.look(10_000, now)
    }
    expect(letGo).toBeGreaterThan(0)
    if (gone === 'leaves') shares.heard('b', null, now)
    else now += 6_000
    for (let look = 0; look < 100; look++) {
      now += LOOK_MS
      expect(shares.look(10_000 - letGo, now)).toBe(0)
    }
  }
})
