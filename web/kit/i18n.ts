/** Texts: `t('word:path.to.key', { params })`. A text file is loaded when a page that lists it opens. */
import i18next from 'i18next'
import type { Language } from '#schema/kit/refusal'
import type { Key, Word } from '#schema/kit/words.gen'
import { FIRST_TEXTS_ID } from '#schema/platform/first-files'
import { inTime } from './chunk.ts'
import { keepLanguage, language, tellLanguage } from './session.ts'

/** Needed by every page, including the login. */
const FIRST: readonly Word[] = ['kit', 'session']
const firstFiles = import.meta.glob<Record<string, unknown>>('../../locales/*/{kit,session}.json', {
  import: 'default',
})
/** Only those of the language in use are loaded: three times 60 names are a tenth of the shell. */
const pageFiles: Record<Language, () => Promise<{ wordFiles: typeof firstFiles }>> = {
  'zh-CN': () => import('./words/zh-cn.ts'),
  'zh-TW': () => import('./words/zh-tw.ts'),
  'en-US': () => import('./words/en-us.ts'),
}
type Texts = Record<string, unknown>
const fetched = new Map<Word, Promise<Texts>>()

/** Those of the page that was opened first, which came with it if the server knew the language. */
let withPage: Readonly<Partial<Record<Word, Texts>>> | undefined
function readWithPage() {
  const element = document.getElementById(FIRST_TEXTS_ID)
  if (element?.lang === language()) return JSON.parse(element.textContent)
  if (element) tellLanguage()
  return {}
}
const added = new Set<string>()

function fetchTexts(word: Word): Promise<Texts> {
  const known = fetched.get(word)
  if (known) return known
  withPage ??= readWithPage()
  const here = withPage?.[word]
  const texts = inTime(async () => {
    if (here) return here
    const file = `locales/${language()}/${word}.json`
    const load = FIRST.includes(word)
      ? firstFiles[`../../${file}`]
      : (await pageFiles[language()]()).wordFiles[`../../../${file}`]
    if (!load) throw new Error(`no texts for ${word} in ${language()}`)
    return load()
  })
  fetched.set(word, texts)
  // A failure is not cached: the next page that needs the file tries again.
  texts.catch(() => fetched.delete(word))
  return texts
}

/** Starts loading the first texts; meanwhile the rest of the code is evaluated. */
export const sendForTexts = () => {
  for (const word of FIRST) void fetchTexts(word)
}

export async function startI18n(): Promise<void> {
  keepLanguage()
  document.documentElement.lang = language()
  await i18next.init({
    lng: language(),
    fallbackLng: false,
    resources: {},
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
  })
  await loadWords(FIRST)
}

/** `word` may also be composed of several files, like the titles of pages. */
export function addTexts(word: string, texts: Readonly<Record<string, unknown>>): void {
  if (added.has(word)) return
  added.add(word)
  i18next.addResourceBundle(language(), word, texts)
}

/** Loads the text files in the current language. Repeated calls cost nothing. */
export async function loadWords(words: readonly Word[]): Promise<void> {
  await Promise.all(
    words.map(async (word) => {
      addTexts(word, await fetchTexts(word))
    }),
  )
}

/** Those without parameters: a page asks for the same hundred names at each drawing. */
const plain = new Map<string, string>()
i18next.on('initialized', () => plain.clear())

/** The text of a key. `count` chooses the English plural. */
export function t(key: Key, params?: Record<string, string | number>): string {
  const known = params ? undefined : plain.get(key)
  if (known !== undefined) return known
  const name: string = key
  const text = i18next.t(name, { ...params })
  // Its file may not be loaded yet.
  if (!params && i18next.exists(name)) plain.set(key, text)
  return text
}

/** For a name from elsewhere (a device, a later version): its text, or the name itself. */
export const tOr = (key: string, otherwise: string): string =>
  i18next.exists(key) ? i18next.t(key) : otherwise

/** All texts below a key, for a server that has no texts. */
export const textsIn = (key: string): Readonly<Record<string, string>> =>
  i18next.t(key, { returnObjects: true }) as Record<string, string>
