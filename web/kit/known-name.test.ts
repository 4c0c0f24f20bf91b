import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, it, vi } from 'vitest'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { startI18n } from './i18n.ts'
import { doerText } from './known-name.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh-CN' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
})

it.each([
  ['li.wei', 'li.wei'],
  [PLATFORM_NAME, '平台管理员'],
  [null, '未知用户'],
])('who did something: %s is %s', (name, text) => {
  expect(doerText(name)).toBe(text)
})

const web = new URL('../', import.meta.url)
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
)
/** A member with the name of a user, which is not translated where it is used; names of texts follow a colon. */
const BARE =
  /(?<!(?:nameText|doerText|who)\()(?<![:.'\w])\w+\.(?:createdBy|updatedBy|deletedBy|decidedBy|handledBy|ackBy|owner)\b/g

it('no page shows the mark that stands for a platform user: all names of users are translated', () => {
  const bare = sources.flatMap((file) =>
    [...readFileSync(new URL(file, web), 'utf8').matchAll(BARE)].map(([found]) => `${file}: ${found}`),
  )
  expect(sources.length).toBeGreaterThan(100)
  expect(bare).toEqual([])
})
