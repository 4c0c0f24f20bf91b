import titles from 'virtual:screen-titles'
import { addTexts } from '../kit/i18n.ts'
import { language } from '../kit/session.ts'

/** Loads the titles of pages for `screenTitle`. */
export async function loadScreenTitles(): Promise<void> {
  addTexts('screen', (await titles[language()]()).default)
}
