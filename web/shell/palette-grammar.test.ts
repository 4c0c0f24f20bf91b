/** The palette's sentences, from the declared commands, screens and lists, with the words of each language. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Access } from '#schema/kit/call'
import type { Permission } from '#schema/kit/permission'
import { type Language, languages } from '#schema/kit/refusal'

let refused: readonly string[] = []
const can = ({ name }: Permission) => !refused.includes(name)
vi.mock('../kit/session.ts', () => ({
  can,
  mayCall: ({ permission }: { permission: Access }) => typeof permission === 'string' || can(permission),
  language: () => 'en-US',
}))
// Pages need a browser; only their paths are used here.
vi.mock('./screens.ts', async () => ({
  screens: (await import('virtual:lists')).default.map(({ screen, path }) => ({ name: screen, path })),
}))
const { default: lists } = await import('virtual:lists')
const { default: commands } = await import('virtual:commands')
const { called, plainText, understand } = await import('./palette-grammar.ts')
const { vocabularyOf } = await import('./palette-vocabulary.ts')

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pageOf = (screen: string) =>
  [`web/pages/${screen}.tsx`, `web/monitor-pages/${screen}.tsx`].find((path) =>
    existsSync(join(root, path)),
  ) ?? screen
const texts = (language: Language, word: string) =>
  JSON.parse(read(`locales/${language}/${word}.json`)) as Record<string, Record<string, unknown>>
const every = lists.map(({ path }) => path)

async function speak(language: Language) {
  await i18next.init({ lng: language, resources: {}, interpolation: { prefix: '{', suffix: '}' } })
  i18next.addResourceBundle(language, 'palette', texts(language, 'palette'))
  const titles = readdirSync(join(root, 'locales', language))
    .filter((file) => file.endsWith('.json'))
    .map((file) => texts(language, file.slice(0, -'.json'.length))['screen'] ?? {})
  i18next.addResourceBundle(language, 'screen', Object.assign({}, ...titles))
}
const understood = (text: string, pages = every) => understand(text, vocabularyOf(pages))

beforeEach(() => {
  refused = []
})

describe('in English', () => {
  beforeEach(() => speak('en-US'))

  it.each([
    ['reboot tokyo', { verb: 'reboot', screen: 'device-list', filters: {}, about: 'tokyo' }],
    ['Restart the devices in Tokyo', { verb: 'reboot', screen: 'device-list', filters: {}, about: 'tokyo' }],
    [
      'reboot offline kiosks',
      { verb: 'reboot', screen: 'device-list', filters: { state: 'offline' }, about: 'kiosks' },
    ],
    ['upgrade R200', { verb: 'upgrade', screen: 'device-list', filters: {}, about: 'r200' }],
    ['alarms of kiosks', { screen: 'alarm-list', filters: {}, about: 'kiosks' }],
    ['critical alarms in tokyo', { screen: 'alarm-list', filters: { severity: 'critical' }, about: 'tokyo' }],
    ['alarm history of kiosk 7', { screen: 'alarm-history', filters: {}, about: 'kiosk 7' }],
    ['devices offline', { screen: 'device-list', filters: { state: 'offline' }, about: '' }],
    ['offline devices in tokyo', { screen: 'device-list', filters: { state: 'offline' }, about: 'tokyo' }],
    ['running tasks', { screen: 'task-list', filters: { status: 'ongoing' }, about: '' }],
    ['devices downtown', { screen: 'device-list', filters: {}, about: 'downtown' }],
  ])('“%s”', (text, sentence) => {
    expect(understood(text)).toEqual(sentence)
  })

  it.each(['reboot', 'devices', 'tokyo', 'rebooted', 'kiosk', 'upgrader', ''])(
    '“%s” is no sentence: it would be about everything, or about nothing known',
    (text) => {
      expect(understood(text)).toBeNull()
    },
  )

  it('a verb is not understood without its permission, and a list not without its page', () => {
    refused = ['deviceReboot', 'taskUpgrade', 'upgradeCreate']
    const { verbs } = vocabularyOf(every)
    expect(verbs.map(({ key }) => key)).not.toContain('reboot')
    expect(understood('reboot tokyo')).toBeNull()
    const elsewhere = every.filter((path) => !path.includes('currenttimewarn'))
    expect(understood('critical alarms in tokyo', elsewhere)?.screen).not.toBe('alarm-list')
    expect(understood('upgrade R200', [])).toBeNull()
  })
})

describe('in Chinese, which has no spaces', () => {
  it.each([
    ['重启东京', { verb: 'reboot', screen: 'device-list', filters: {}, about: '东京' }],
    ['升级 R200', { verb: 'upgrade', screen: 'device-list', filters: {}, about: 'r200' }],
    ['售货机的告警', { screen: 'alarm-list', filters: {}, about: '售货机' }],
    ['离线设备', { screen: 'device-list', filters: { state: 'offline' }, about: '' }],
    ['东京的离线设备', { screen: 'device-list', filters: { state: 'offline' }, about: '东京' }],
  ])('“%s”', async (text, sentence) => {
    await speak('zh-CN')
    expect(understood(text)).toEqual(sentence)
  })

  it.each([
    ['重新啟動東京', { verb: 'reboot', screen: 'device-list', filters: {}, about: '東京' }],
    ['升級ＲＴ２００', { verb: 'upgrade', screen: 'device-list', filters: {}, about: 'rt200' }],
    ['販賣機的告警', { screen: 'alarm-list', filters: {}, about: '販賣機' }],
    ['離線裝置', { screen: 'device-list', filters: { state: 'offline' }, about: '' }],
  ])('“%s”', async (text, sentence) => {
    await speak('zh-TW')
    expect(understood(text)).toEqual(sentence)
  })
})

describe.each(languages)('the words in %s', (language) => {
  beforeEach(() => speak(language))

  it('name every command for many devices, and every list that is searched', () => {
    const { verbs, nouns } = vocabularyOf(every)
    const bulk = commands.filter(({ bulk }) => bulk !== undefined).map(({ name }) => name)
    expect(verbs.map(({ key }) => key)).toEqual(expect.arrayContaining([...bulk, 'upgrade']))
    expect(verbs.filter(({ words }) => words.length === 0)).toEqual([])
    const synonyms = texts(language, 'palette')['list'] ?? {}
    expect(Object.keys(synonyms).sort()).toEqual(lists.map(({ screen }) => screen).sort())
    expect(nouns).toHaveLength(lists.length)
  })

  it('of filters are those of declared choices', () => {
    const values = (texts(language, 'palette')['value'] ?? {}) as Record<string, Record<string, string>>
    const unknown = Object.entries(values).flatMap(([filter, of]) =>
      Object.keys(of)
        .filter((value) => !lists.some(({ filters }) => filters[filter]?.map(String).includes(value)))
        .map((value) => `${filter}.${value}`),
    )
    expect(unknown).toEqual([])
  })

  it('mean one thing each', () => {
    const { verbs, nouns } = vocabularyOf(every)
    const words = [...verbs, ...nouns].flatMap((named) => [...new Set(named.words)])
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([])
  })
})

it.each(lists)(
  'the page of $screen reads from its URL what the palette writes there',
  async ({ screen, filters }) => {
    await speak('en-US')
    const page = read(pageOf(screen))
    // Pages of one kind share their filters.
    const shared = [
      ...page.matchAll(/from '(?:\.\.\/)+((?:task\/task-columns|alarm\/rule-list|monitor\/[\w-]+)\.tsx?)'/g),
    ].map(([, file]) => read(`web/${file}`))
    const source = [page, ...shared].join('\n')
    const noun = vocabularyOf(every).nouns.find((one) => one.screen === screen)
    const written = new Set([
      ...(noun?.choices ?? []).map(({ filter }) => filter),
      ...['groupId', 'model'].filter((name) => name in filters),
    ])
    expect(
      [...written].filter((name) => !new RegExp(`key: '${name}'|\\b${name}: (text|parseAs)`).test(source)),
    ).toEqual([])
  },
)

it('a name is found exactly, else by its beginning, else by a part of it', () => {
  const names = ['R200', 'R200-4G', 'Kiosks', 'Old kiosks']
  const found = (text: string) => called(names, plainText(text), (name) => name)
  expect([found('r200'), found('r20'), found('kiosk'), found('4g'), found('x')]).toEqual([
    ['R200'],
    ['R200', 'R200-4G'],
    ['Kiosks'],
    ['R200-4G'],
    [],
  ])
})
