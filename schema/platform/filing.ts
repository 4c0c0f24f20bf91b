/**
 * [§2 Layout] Filing links of the footer: required next to the copyright notice in some countries, e.g. an ICP number.
 */
import { z } from 'zod'
import { call } from '../kit/call.ts'

const FILINGS_MAX = 5
const TEXT_MAX = 64
export type Filing = { text: string; url: string }

/**
 * `ICP 12345678=https://beian.miit.gov.cn/, …` → [{ text, url }]; empty: none. @returns null if it is invalid: a part
 * without a text or an http(s) URL, or more than five.
 */
export function readFilings(setting: string): Filing[] | null {
  const parts = setting
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const read = parts.map((part) => {
    const [, text = '', url = ''] = /^([^=]+)=(https?:\/\/\S+)$/.exec(part) ?? []
    return { text: text.trim(), url }
  })
  const good = ({ text, url }: Filing) => text !== '' && text.length <= TEXT_MAX && URL.canParse(url)
  return read.length <= FILINGS_MAX && read.every(good) ? read : null
}

export const getFilings = call({
  path: '/api/config/getFilings',
  method: 'GET',
  permission: 'none',
  summary: 'The filing links of the footer [FILING_LINKS], shown before the login too.',
  reply: z.object({ list: z.array(z.object({ text: z.string(), url: z.string() })) }),
})
