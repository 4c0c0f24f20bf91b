import { expect, it } from 'vitest'
import { connectionId, isNamed } from '#infra/presence'
import { afterFile } from '#test/after-file'
import { testContext } from '#test/harness'
import { until } from '#test/walks/until'
import { fairShare, shareSessions } from './sessions.ts'

it.each([
  [1, 1, 1],
  [4, 1, 4],
  [4, 3, 2],
  [2, 5, 1],
  [3, 0, 3],
])('%i sessions among %i processes: at most %i each', (sessions, processes, share) => {
  expect(fairShare(sessions, processes)).toBe(share)
})

it('each session is served by one process at a time, by all that there are, and by the rest when one ends', async () => {
  const context = await testContext({
    BROKER: 'external',
    EXTERNAL_MQTT_URL: 'mqtt://127.0.0.1:1',
    EXTERNAL_MQTT_PASSWORD: 'none',
    EXTERNAL_MQTT_SESSIONS: '3',
  })
  const serving = new Map<number, string>()
  const faults: string[] = []
  const join = (name: string) =>
    shareSessions(context, (session) => {
      if (serving.has(session)) faults.push(`${name} began ${session} of ${serving.get(session)}`)
      serving.set(session, name)
      return async () => {
        serving.delete(session)
      }
    })
  const first = await join('first')
  expect(first.served()).toEqual([1, 2, 3])
  const second = await join('second')
  afterFile(() => second.close())
  await until('they share', () => second.served().length === 1 && first.served().length === 2)
  await first.close()
  await until('the second serves all', () => second.served().length === 3)
  expect(faults).toEqual([])
})

it('a connection has the same id wherever its name is heard, of a version of its own', () => {
  const id = connectionId(7, 'a')
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(connectionId(7, 'a')).toBe(id)
  expect(new Set([id, connectionId(7, 'b'), connectionId(8, 'a')]).size).toBe(3)
  expect(isNamed(id)).toBe(true)
  expect(isNamed(crypto.randomUUID())).toBe(false)
})
