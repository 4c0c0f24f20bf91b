/** Reads the texts of a page, and finds what no user should read: raw text keys, words of another language. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { Language } from '#schema/kit/refusal'

const folder = fileURLToPath(new URL('../../locales/zh-CN/', import.meta.url))

function paths(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? `${before}${key}` : paths(value as object, `${before}${key}.`),
  )
}

/** `field.name`, `upload.title` …: shown by the library when a text is missing. */
const keys = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) =>
    paths(JSON.parse(readFileSync(join(folder, file), 'utf8')) as object).filter((path) =>
      path.includes('.'),
    ),
  )
/** Also in the middle of a sentence, and next to a number. */
const KEY = new RegExp(`(?<![\\w.])(?:${keys.map((key) => key.replaceAll('.', '\\.')).join('|')})(?![a-z.])`)

/** Most texts need not be compared with thousands of keys. */
const DOTTED = /\w\.\w/

/** Texts, and attributes that are read aloud or shown. */
export const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      // What is shown without scripts, or in a browser that is too old, is in all languages.
      if (parent?.closest('script,style,noscript,#too-old[hidden]')) continue
      const text = node.textContent?.trim()
      if (text) found.push(text)
    }
    for (const element of document.querySelectorAll('[aria-label],[placeholder],[title],[alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
        const text = element.getAttribute(name)?.trim()
        if (text) found.push(text)
      }
    return found
  })

export const rawKeys = (texts: readonly string[]): string[] =>
  texts.filter((text) => /^[a-z]+(-[a-z]+)?:[\w.]+$/.test(text) || (DOTTED.test(text) && KEY.test(text)))

/** Words that a Taiwanese reader would recognise as mainland vocabulary. */
const MAINLAND = /软|设备|網絡|固件|服務器|默認|登錄|用戶(?!端)|信號|信息|模板|打印機/
const CJK = /[\u4e00-\u9fff]/
/** Language names are in their own language. */
const OWN_NAMES = new Set(['简体中文', '繁體中文', 'English'])

/** Texts that are not of this language. */
export function foreign(texts: readonly string[], language: Language): string[] {
  const judged = texts.filter((text) => !OWN_NAMES.has(text))
  if (language === 'en-US') return judged.filter((text) => CJK.test(text))
  if (language === 'zh-TW') return judged.filter((text) => MAINLAND.test(text))
  return []
}
