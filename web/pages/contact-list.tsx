import { contactScreen } from '#schema/alarm/contact'
import type { Word } from '#schema/kit/words.gen'
import { contactPage } from '../alarm/contact-page.tsx'

export const words: readonly Word[] = ['contact', 'alarm']

export const Page = contactPage(contactScreen)
