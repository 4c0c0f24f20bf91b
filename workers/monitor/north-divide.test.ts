/** What happens to a batch whose content a target refuses. */
import { createRequire } from 'node:module'
import { describe, expect, it, vi } from 'vitest'
import { ConnectionClosed } from '#infra/monitor/outbound-mqtt'
import { sendDivided, takesOne } from './north-divide.ts'
import { NorthFailure } from './north-send.ts'

const numbers = (to: number) => Array.from({ length: to }, (_, i) => i + 1)
/** A target that answers so if a part has something that it refuses. */
function targetThat(refuses: (part: readonly number[]) => boolean, status: number | null, cause?: unknown) {
  const got: number[] = []
  let asked = 0
  return {
    got,
    asked: () => asked,
    send: async (part: number[]) => {
      asked++
      if (refuses(part)) throw new NorthFailure('refused', status, cause)
      got.push(...part)
    },
  }
}
const none = { failures: 0, faultStatus: null }
/** So many attempts have failed with an internal error. */
const lasting = (failures: number) => ({ failures, faultStatus: 500 })
const has = (wrong: readonly number[]) => (part: readonly number[]) => part.some((n) => wrong.includes(n))
const statuses = ({ refused }: Awaited<ReturnType<typeof sendDivided<number>>>) =>
  refused.map(({ message, failure }) => [message, failure.status])

describe('a batch of 200', () => {
  it('is sent as it is to a target that takes it', async () => {
    const target = targetThat(() => false, 400)
    expect(await sendDivided(numbers(200), target.send, none)).toEqual({ done: 200, taken: 200, refused: [] })
    expect(target.asked()).toBe(1)
  })

  it.each([[[1]], [[200]], [[77, 78, 150]]])(
    'arrives in its order without what is refused: %j',
    async (wrong) => {
      const target = targetThat(has(wrong), 400)
      const divided = await sendDivided(numbers(200), target.send, none)
      expect(target.got).toEqual(numbers(200).filter((n) => !wrong.includes(n)))
      expect(statuses(divided)).toEqual(wrong.map((n) => [n, 400]))
      expect(divided).toMatchObject({ done: 200, taken: 200 - wrong.length })
    },
  )

  it('that is too large for a target arrives in parts', async () => {
    const target = targetThat((part) => part.length > 60, 413)
    expect(await sendDivided(numbers(200), target.send, none)).toMatchObject({ taken: 200, refused: [] })
    expect(target.got).toEqual(numbers(200))
  })

  it('waits for a target that refuses everything, which is not asked for each of them', async () => {
    const target = targetThat(() => true, 400)
    await expect(sendDivided(numbers(200), target.send, none)).rejects.toMatchObject({ status: 400 })
    expect(target.asked()).toBe(64)
    await expect(sendDivided([1], target.send, lasting(9))).rejects.toMatchObject({ status: 400 })
    await expect(sendDivided([1, 2], target.send, lasting(9))).rejects.toMatchObject({ status: 400 })
  })

  it.each([401, 403, 404, 429, 502, 503, null])(
    'waits where it is not the content that is refused: %s',
    async (status) => {
      const target = targetThat(has([77]), status)
      await expect(sendDivided(numbers(200), target.send, lasting(99))).rejects.toMatchObject({ status })
      expect(target.asked()).toBe(1)
    },
  )

  it('is done with up to what was taken if the target fails for another reason between two parts', async () => {
    const target = targetThat(has([77]), 400)
    const send = async (part: number[]) => {
      if (target.asked() > 3) throw new NorthFailure('refused', 429)
      await target.send(part)
    }
    expect(await sendDivided(numbers(200), send, none)).toEqual({ done: 50, taken: 50, refused: [] })
    expect(target.asked()).toBe(4)
  })

  it('is done with, refused ones too, if the target takes messages from elsewhere: one by one, without an end of refusals', async () => {
    const target = targetThat(() => true, 400)
    const divided = await sendDivided(numbers(200), target.send, none, true)
    expect(divided).toMatchObject({ done: 200, taken: 0 })
    expect(divided.refused).toHaveLength(200)
    const limited = targetThat(() => target.asked() > 0, 429)
    await expect(sendDivided(numbers(200), limited.send, none, true)).rejects.toMatchObject({ status: 429 })
  })

  it('begins with its first message alone after a failed attempt: a target that takes few requests a minute gets on', async () => {
    const target = targetThat(has([150]), 400)
    const send = async (part: number[]) => {
      if (target.asked() > 1) throw new NorthFailure('refused', 429)
      await target.send(part)
    }
    expect(await sendDivided(numbers(200), send, { failures: 1, faultStatus: 429 })).toMatchObject({
      done: 1,
    })
  })

  it('is divided for an internal error only if that has lasted', async () => {
    const target = targetThat(has([77]), 500)
    await expect(sendDivided(numbers(200), target.send, lasting(3))).rejects.toMatchObject({ status: 500 })
    const hasReturned = { failures: 9, faultStatus: null }
    await expect(sendDivided(numbers(200), target.send, hasReturned)).rejects.toMatchObject({ status: 500 })
    expect(statuses(await sendDivided(numbers(200), target.send, lasting(4)))).toEqual([[77, 500]])
  })

  it('is done with up to a message where there is no more time', async () => {
    const { now } = performance
    let passed = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed)
    const target = targetThat(has([150]), 400)
    const send = async (part: number[]) => {
      await target.send(part)
      passed += 30_000
    }
    const divided = await sendDivided(numbers(200), send, none)
    vi.restoreAllMocks()
    expect(divided).toEqual({ done: 100, taken: 100, refused: [] })
    expect(target.got).toEqual(numbers(100))
  })
})

it('others are tried until one is taken, or the target fails for another reason than the content', async () => {
  const target = targetThat(([n]) => n !== 3, 422)
  expect(await takesOne(numbers(5), target.send)).toBe(true)
  expect(target.asked()).toBe(3)
  expect(await takesOne([1, 2], target.send)).toBe(false)
  expect(await takesOne([], target.send)).toBe(false)
  const busy = targetThat(([n]) => n !== 3, 503)
  expect(await takesOne(numbers(5), busy.send)).toBe(false)
  expect(busy.asked()).toBe(1)
})

it.each([
  [10, 'MESSAGE_TOO_LARGE'],
  [18, 'RECORD_LIST_TOO_LARGE'],
])('what Kafka calls %i is divided: %s', async (code, type) => {
  const { createErrorFromCode } = createRequire(import.meta.url)('kafkajs/src/protocol/error')
  const error = createErrorFromCode(code)
  expect(error.type).toBe(type)
  const target = targetThat((part) => part.length > 60, null, error)
  expect(await sendDivided(numbers(200), target.send, none)).toMatchObject({ taken: 200, refused: [] })
})

describe('a connection that breaks', () => {
  const closed = new ConnectionClosed('the connection was closed')

  it('is a broken network at first, and nothing is divided', async () => {
    const target = targetThat(has([3]), null, closed)
    await expect(sendDivided(numbers(9), target.send, { ...none, failures: 3 })).rejects.toThrow()
    expect(target.asked()).toBe(1)
  })

  it('at one message for minutes refuses that, if the broker takes others', async () => {
    const target = targetThat(has([3]), null, closed)
    const divided = await sendDivided(numbers(9), target.send, { ...none, failures: 4 })
    expect(target.got).toEqual([1, 2, 4, 5, 6, 7, 8, 9])
    expect(statuses(divided)).toEqual([[3, null]])
    await expect(sendDivided([3], target.send, { ...none, failures: 9 })).rejects.toThrow()
  })

  it('by chance loses no message', async () => {
    let breaks = 0
    const target = targetThat((part) => part.length > 1 || (part[0] === 2 && ++breaks < 3), null, closed)
    const divided = await sendDivided(numbers(3), target.send, { ...none, failures: 9 })
    expect([target.got, divided.refused]).toEqual([[1, 2, 3], []])
  })
})
