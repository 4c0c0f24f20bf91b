import { expect, it } from 'vitest'
import { liveHub, type Viewer } from './live-hub.ts'

const viewer: Viewer = {
  login: 'kiosk 1',
  tell: () => true,
  again: () => Promise.reject(new Error('not asked')),
  end: () => undefined,
}

it('forgets a viewer whose first values cannot be read', async () => {
  const away = { execute: () => Promise.reject(new Error('the database is away')) }
  const hub = liveHub(away as never, () => undefined)
  const watched = [{ terminalId: 1, variableId: 2, slot: 3, staleMs: 60_000, place: 'a' }]
  await expect(hub.join(viewer, watched)).rejects.toThrow('the database is away')
  expect(hub.size).toBe(0)
})
