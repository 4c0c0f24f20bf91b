/** Who the console shows, when answers come late or not at all. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { getUserDetails, showFunctionList } from '#schema/people/session'
import { loadMe, renewMe } from './me.ts'
import { storeToken } from './session.ts'

/** A browser's cookies: setting one keeps the others. */
const cookies = new Map<string, string>()
const stored = new Map<string, string>()
/** Answers to `showFunctionList` wait for this. */
let gate = Promise.resolve()
let refused = false
let waiting = 0

const envelope = (data: unknown, code = 0) => Response.json({ code, data, message: '' })

async function answer(input: unknown, init: { headers: Record<string, string> }) {
  const path = String(input)
  const user = Number(init.headers['token'])
  if (path.startsWith(getUserDetails.path)) return envelope({ user_id: user })
  if (!path.startsWith(showFunctionList.path)) return envelope({ menuIds: [user] })
  waiting += 1
  await gate
  waiting -= 1
  return refused ? envelope(null, 1) : envelope({ list: [{ functionId: user }] })
}

const login = (user: number) => storeToken(String(user))

beforeEach(() => {
  vi.stubGlobal('location', { protocol: 'https:', pathname: '/', search: '' })
  vi.stubGlobal('document', {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(set: string) {
      const [pair = ''] = set.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    },
  })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  })
  vi.stubGlobal('fetch', answer)
})
afterEach(() => vi.unstubAllGlobals())

it('answers that arrive after another user has logged in are not stored over theirs', async () => {
  const late = Promise.withResolvers<void>()
  login(1)
  await loadMe()
  gate = late.promise
  const renewed = renewMe()
  await vi.waitFor(() => expect(waiting).toBe(1), 20_000)
  gate = Promise.resolve()
  // As after a logout.
  login(2)
  await loadMe()
  expect([stored.get('user_id'), cookies.get('permission')]).toEqual(['2', '2'])
  late.resolve()
  await renewed
  expect([stored.get('user_id'), cookies.get('permission')]).toEqual(['2', '2'])
})

it('after a renewal that failed the next one who loads it asks again', async () => {
  login(3)
  const before = await loadMe()
  expect(await loadMe()).toBe(before)
  refused = true
  await expect(renewMe()).rejects.toThrow()
  refused = false
  expect(await loadMe()).not.toBe(before)
})
