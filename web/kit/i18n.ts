/** Texts: `t('word:path.to.key', { params })`. A text file is loaded when a page that lists it opens. */
import i18next from 'i18next'
import type { Language } from '#schema/kit/refusal'
import type { Key, Word } from '#schema/kit/words.gen'
import { inTime } from './chunk.ts'
import { language } from './session.ts'

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
const fetched = new Map<Word, Promise<Record<string, unknown>>>()
const added = new Set<string>()

function fetchTexts(word: Word): Promise<Record<string, unknown>> {
  const known = fetched.get(word)
  if (known) return known
  const texts = inTime(async () => {
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

/** The text of a key. `count` chooses the English plural. */
export const t = (key: Key, params?: Record<string, string | number>): string => i18next.t(key, { ...params })

/** For a name from elsewhere (a device, a later version): its text, or the name itself. */
export const tOr = (key: string, otherwise: string): string =>
  i18next.exists(key) ? i18next.t(key) : otherwise

/** All texts below a key, for a server that has no texts. */
export const textsIn = (key: string): Readonly<Record<string, string>> =>
  i18next.t(key, { returnObjects: true }) as Record<string, string>
