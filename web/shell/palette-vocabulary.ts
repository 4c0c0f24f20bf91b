/** The words of the palette, from the declarations that this user may use and the synonyms in their language. */

import declaredCommands from 'virtual:commands'
import declaredLists from 'virtual:lists'
import i18next from 'i18next'
import { deviceListScreen } from '#schema/device/device-pages'
import { t, tOr } from '../kit/i18n.ts'
import { screenTitle } from '../kit/page/screen-title.ts'
import { can, mayCall } from '../kit/session.ts'
import { permittedActions } from './palette-actions.ts'
import { type Choice, type DeclaredList, type Noun, type Vocabulary, wordsOf } from './palette-grammar.ts'

const bulkCommands = declaredCommands.filter(({ bulk }) => bulk !== undefined)
export const commandNamed = (name: string) => bulkCommands.find((command) => command.name === name)
export const listOf = (screen: string) => declaredLists.find((list) => list.screen === screen)

const synonyms = (key: string) => wordsOf(tOr(key, ''))

/** The choices of the filters that have words; the others are found in the list itself. */
const choicesOf = ({ filters }: DeclaredList): readonly Choice[] =>
  Object.entries(filters).flatMap(([filter, values]) =>
    values
      .filter((value) => i18next.exists(`palette:value.${filter}.${value}`))
      .map((value) => ({
        filter,
        value: String(value),
        words: synonyms(`palette:value.${filter}.${value}`),
      })),
  )

const nounOf = (list: DeclaredList): Noun => ({
  screen: list.screen,
  choices: choicesOf(list),
  words: [...wordsOf(screenTitle({ name: list.screen })), ...synonyms(`palette:list.${list.screen}`)],
})

/** @param pages paths of the user's menu */
export function vocabularyOf(pages: readonly string[]): Vocabulary {
  const nouns = declaredLists.filter(({ path, call }) => pages.includes(path) && mayCall(call)).map(nounOf)
  const commands = bulkCommands.filter(({ permission }) => can(permission)).map(({ name }) => name)
  const actions = permittedActions(pages).filter(({ takes }) => takes === 'devices')
  return {
    nouns,
    object: nouns.find(({ screen }) => screen === deviceListScreen.name),
    verbs: [...commands, ...actions.map(({ key }) => key)].map((key) => ({
      key,
      words: synonyms(`palette:verb.${key}`),
    })),
    joins: wordsOf(t('palette:joins')),
  }
}
