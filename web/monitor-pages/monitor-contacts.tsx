import type { Word } from '#schema/kit/words.gen'
import { monitorContactScreen } from '#schema/monitor/variable-alarm'
import { contactPage } from '../alarm/contact-page.tsx'

export const words: readonly Word[] = ['contact', 'alarm', 'variable-alarm']

export const Page = contactPage(monitorContactScreen)
