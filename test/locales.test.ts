/**
 * The three languages contain the same texts, every text is used, and zh-TW uses Taiwan's vocabulary, not just
 * converted characters.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gatherWords } from '#infra/gather'
import { type ConfigPage, isConfigPage } from '#schema/config/config-page'
import { isObjectKind } from '#schema/kit/about'
import { isCall } from '#schema/kit/call'
import { isCommand } from '#schema/kit/command'
import type { FormField } from '#schema/kit/field'
import { formOf } from '#schema/kit/form'
import { languages } from '#schema/kit/refusal'
import { tracked } from './tracked-files.ts'

const root = join(import.meta.dirname, '..')
const locales = join(root, 'locales')
/** Texts used only by servers are in a folder that the console does not load. */
const SERVERS = 'servers'
type Tree = { [key: string]: string | Tree }

const read = (folder: string, word: string) =>
  JSON.parse(readFileSync(join(locales, folder, `${word}.json`), 'utf8')) as Tree
const wordsOf = (folder: string) =>
  readdirSync(join(locales, folder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort()

function leaves(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : leaves(value, `${path}${key}.`),
  )
}
const textsOf = (folder: string) =>
  wordsOf(folder).flatMap((word) =>
    leaves(read(folder, word)).map(([key, text]) => ({ key: `${word}:${key}`, text })),
  )
const texts = (language: string) => [...textsOf(language), ...textsOf(`${language}/${SERVERS}`)]
/** Only English has plurals; `x_one` and `x_other` are the same key as `x`. */
const base = (key: string) => key.replace(/_(one|other)$/, '')
const keysOf = (language: string) => [...new Set(texts(language).map(({ key }) => base(key)))].sort()

const sourcesOf = (room: string) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, room, file))
    .filter((file) => !file.includes('/web/dist/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
const WORD = [...wordsOf('zh-CN'), ...wordsOf(`zh-CN/${SERVERS}`)].join('|')
/** `'word:some.key'`; of a template everything before its first `${`; of `textsIn('word:some')` all below it. */
const literalsOf = (sources: string) =>
  [...sources.matchAll(new RegExp(`(textsIn\\()?['"\`]((?:${WORD}):[\\w.-]*)(\\$\\{)?`, 'g'))].map(
    ([, all, key = '', open]) => ({
      key: all ? `${key}.` : key,
      prefix: all !== undefined || open !== undefined,
    }),
  )
const inConsole = literalsOf(sourcesOf('web'))
/** Servers use texts too: in mails, notices and files. Their types ensure that these exist. */
const literals = [
  ...inConsole,
  ...['schema', 'infra', 'broker', 'api', 'workers', 'launch'].flatMap((room) => literalsOf(sourcesOf(room))),
]

/** The button of a page that the platform can fill. */
const fillKeys = ({ filledFrom }: ConfigPage, word: string) => (filledFrom ? [`${word}:fill`] : [])

/** The texts of a configuration page: its title, and labels, help and choices of its fields, also of nested ones. */
const pageKeys = (fields: readonly FormField[], word: string, prefix = ''): string[] => [
  `${word}:page`,
  ...fields.flatMap((field) => [
    `${word}:field.${prefix}${field.name}`,
    `${word}:hint.${prefix}${field.name}`,
    ...[...(field.options ?? []), ...(field.items?.options ?? [])].map(
      (value) => `${word}:${field.name}.${value}`,
    ),
    ...(field.fields ? pageKeys(field.fields, word, `${prefix}${field.name}.`) : []),
  ]),
]

/** Choices that are their own names: numbers, and time zones. */
const OWN_NAME = /\.(\d+|UTC|[A-Z]\w+\/[\w/+-]+)$/

describe('texts', () => {
  it.each(languages.filter((language) => language !== 'zh-CN'))('%s has the keys of zh-CN', (language) => {
    expect(keysOf(language)).toEqual(keysOf('zh-CN'))
  })

  it('have no key in two files', () => {
    const keys = texts('zh-CN').map(({ key }) => key)
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  })

  it('for servers repeat no other text', () => {
    const inAll = (folder: string) =>
      textsOf(`zh-CN${folder}`).map(({ key, text }) => ({
        key,
        text: [text, ...languages.slice(1).map((language) => said.get(`${language}${folder} ${key}`))].join(),
      }))
    const said = new Map(
      ['', `/${SERVERS}`].flatMap((folder) =>
        languages.flatMap((language) =>
          textsOf(`${language}${folder}`).map(({ key, text }) => [`${language}${folder} ${key}`, text]),
        ),
      ),
    )
    const known = new Set(inAll('').map(({ text }) => text))
    const own = inAll(`/${SERVERS}`)
    const again = own.filter(
      ({ text }, i) => known.has(text) || own.findIndex((one) => one.text === text) !== i,
    )
    expect(again).toEqual([])
  })

  it('are here and not in code', () => {
    /** Exceptions that are not texts of the product. */
    const allowed = [
      // Sample data, and texts that must not appear.
      /\.test\.tsx?$/,
      /^test\//,
      // Names of the demonstration: data in the language of its readers.
      /^launch\/demo-names\.ts$/,
      // Names that become a customer's data in the language of who takes the template.
      /^schema\/monitor\/library\//,
      // Names of places, most of which come from data.
      /^web\/map\/map-data-places\.ts$/,
      // Each language in its own language.
      /^web\/kit\/page\/language-names\.ts$/,
    ]
    const literal = tracked.filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        !allowed.some((pattern) => pattern.test(file)) &&
        /\p{Script=Han}/u.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(literal).toEqual([])
  })

  it('have the English plural wherever there is a singular', () => {
    const keys = new Set(texts('en-US').map(({ key }) => key))
    const lonely = [...keys].filter(
      (key) =>
        (key.endsWith('_one') && !keys.has(`${base(key)}_other`) && !keys.has(base(key))) ||
        (key.endsWith('_other') && !keys.has(`${base(key)}_one`)),
    )
    expect(lonely).toEqual([])
  })

  it('are not empty, and have the same placeholders in every language', () => {
    const places = (text: string) =>
      [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort().join()
    const model = new Map(texts('zh-CN').map(({ key, text }) => [key, places(text)]))
    const wrong = languages.flatMap((language) =>
      texts(language).filter(
        ({ key, text }) =>
          text.trim() === '' ||
          // "1 device" may omit its number.
          (!key.endsWith('_one') && places(text) !== model.get(base(key))),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('include every key that the console uses, in the files that it loads', () => {
    const keys = textsOf('zh-CN').map(({ key }) => key)
    const missing = inConsole.filter(({ key, prefix }) =>
      prefix ? !keys.some((known) => known.startsWith(key)) : !keys.includes(key),
    )
    expect(missing).toEqual([])
  })

  it('name every call of the operation log, and none that does not exist', async () => {
    const writing = [...(await gatherWords(isCall)).keys()]
      .filter(({ writes }) => writes)
      .map(({ name }) => name)
    const { call } = read('zh-CN', 'operation') as { call: Tree }
    // Maintenance on the server itself is logged without a call.
    const named = Object.keys(call).filter((name) => !name.startsWith('admin/'))
    expect(named.sort()).toEqual(writing.sort())
  })

  it('name every kind of object in the operation log, and none that does not exist', async () => {
    const kinds = [...(await gatherWords(isObjectKind)).keys()].map(({ name }) => name)
    const { kind } = read('zh-CN', 'operation') as { kind: Tree }
    expect(Object.keys(kind).sort()).toEqual(kinds.sort())
  })

  it('name every field and every choice of the configuration pages', async () => {
    const known = new Set(keysOf('zh-CN'))
    const pages = [...(await gatherWords(isConfigPage))]
    const lacking = pages.flatMap(([page, word]) =>
      [
        ...fillKeys(page, word),
        ...pageKeys(
          formOf(page.body).filter(({ input }) => input !== 'hidden'),
          word,
        ),
      ].filter(
        (key) => !key.includes(':hint.') && !/\.id$/.test(key) && !OWN_NAME.test(key) && !known.has(key),
      ),
    )
    expect(lacking).toEqual([])
  })

  it('name the unit of every field, unless it is a symbol', async () => {
    const symbols = ['dBm', 'CSQ', '%', '°', '°C', 'm']
    // An instant has an input of its own, or none.
    const exempt = [...symbols, 'ms since 1970 UTC']
    const unitsOf = (fields: readonly FormField[]): string[] =>
      fields.flatMap(({ unit, fields: inner = [] }) => [...(unit ? [unit] : []), ...unitsOf(inner)])
    const units = [
      ...[...(await gatherWords(isConfigPage)).keys()].flatMap(({ body }) => unitsOf(formOf(body))),
      ...[...(await gatherWords(isCommand)).keys()].flatMap(({ args }) => unitsOf(formOf(args))),
    ]
    const { unit } = read('zh-CN', 'kit') as { unit: Tree }
    expect(units).not.toHaveLength(0)
    expect([...new Set(units)].filter((one) => !exempt.includes(one) && !(one in unit))).toEqual([])
  })

  it('have no unused key', async () => {
    const named = new Set(
      [...(await gatherWords(isCall))].flatMap(([call, word]) =>
        formOf(call.body).map(({ name }) => `${word}:field.${name}`),
      ),
    )
    for (const [page, word] of await gatherWords(isConfigPage))
      for (const key of [...fillKeys(page, word), ...pageKeys(formOf(page.body), word)]) named.add(key)
    const unused = keysOf('zh-CN').filter(
      (known) =>
        !named.has(known) &&
        !literals.some(({ key, prefix }) => (prefix ? known.startsWith(key) : key === known)) &&
        // Names of declarations: test/rights.test.ts compares them with the declarations.
        !/:(permission|screen|section)\./.test(known),
    )
    expect(unused).toEqual([])
  })
})

describe('zh-TW', () => {
  /** Simplified characters that differ from the traditional ones, and words that are not used in Taiwan. */
  const SIMPLIFIED = [
    ...'网络软务机设备录统计报传输载级应连断线时间径实显选择变请处环单个号码态称编辑删关闭启详误败权资讯询图标样页导动车额库终确认无满据状类说证钥销层预览组键长东',
  ]
  const WORDS = [
    '網絡',
    '軟件',
    '固件',
    '服務器',
    '串口',
    '打印',
    '默認',
    '登錄',
    '用戶',
    '信號',
    '模板',
    '信息',
    '設備',
    '數據',
    '文件',
    '加載',
    '搜索',
    '菜單',
    '全屏',
    '鏈接',
    '屏幕',
    '批量',
    '字符',
    '視頻',
    '刷新',
    '導出',
    '導入',
    '在線',
    '上報',
    '下發',
    '丟包',
    '標識',
    '密鑰',
    '調試',
    '點擊',
    '雙擊',
  ]
  /** Coordinates and addresses between Chinese words. */
  const MIXED = new Set(['form:shape.region', 'north:addressHint'])
  it('is written for Taiwan: traditional characters, and the words used there', () => {
    const wrong = texts('zh-TW').flatMap(({ key, text }) => {
      // A user is 使用者, but a client is 用戶端.
      const rest = text.replaceAll('用戶端', '')
      const found = [...SIMPLIFIED, ...WORDS].filter((part) => rest.includes(part))
      return found.length > 0 ? [{ key, text, found }] : []
    })
    expect(wrong).toEqual([])
  })

  it.each(['zh-CN', 'zh-TW'] as const)('has the punctuation of its script: %s', (language) => {
    // Alternatives that the palette understands are separated by a comma and a space.
    const wrong = texts(language).filter(
      ({ key, text }) =>
        !key.startsWith('palette:') && /[一-鿿}%][,:;?!](?=[一-鿿{]|$)/.test(text) && !MIXED.has(key),
    )
    expect(wrong).toEqual([])
  })

  it('calls only Modbus equipment 终端: a device has a 命令行', () => {
    const wrong = ['recording', 'remote', 'snippet', 'watch', 'access', 'servers/remote'].flatMap((word) =>
      leaves(read('zh-CN', word)).filter(([, text]) => text.includes('终端')),
    )
    expect(wrong).toEqual([])
  })

  it('calls a shell 命令列 in Taiwan too, never 終端機; the palette understands both', () => {
    const wrong = texts('zh-TW').filter(
      ({ key, text }) => !key.startsWith('palette:') && text.includes('終端機'),
    )
    expect(wrong).toEqual([])
  })
})
