/** The frame of the pages that links in our mails lead to; their reader may have no login. */
import { Loader } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { loadWords } from '../kit/i18n.ts'
import { useLinkLanguage } from './link-language.ts'
import classes from './login.module.css'
import { LoginCorner } from './login-corner.tsx'

/** The token of the link. */
export const tokenOfLink = () => location.hash.slice(1)
/** The token is used up and removed from the URL. */
export const forgetToken = () => history.replaceState(null, '', location.pathname)

type Props = {
  words: readonly Word[]
  /** Called when the texts are loaded. */
  title: () => string
  children: ReactNode
}

export function LinkFrame({ words, title, children }: Props) {
  const [ready, setReady] = useState(false)
  useLinkLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts belong to the page and never change
  useEffect(() => {
    void loadWords(words).then(() => {
      document.title = title()
      setReady(true)
    })
  }, [])
  return (
    <div className={classes['frame']} style={{ gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <main className={classes['main']}>
        <LoginCorner />
        <div className={classes['form']}>{ready ? children : <Loader />}</div>
      </main>
    </div>
  )
}
