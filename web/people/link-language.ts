import { useEffect } from 'react'
import { languages } from '#schema/kit/refusal'
import { LINK_LANGUAGE } from '#schema/people/before-login'
import { chooseLanguage, hasChosenLanguage } from '../kit/session.ts'

/** In a browser in which no language was chosen yet, a page opened by a link uses the language of who sent the link. */
export function useLinkLanguage() {
  useEffect(() => {
    const given = new URLSearchParams(location.search).get(LINK_LANGUAGE)
    const known = languages.find((one) => one === given)
    if (known && !hasChosenLanguage()) chooseLanguage(known)
  }, [])
}
