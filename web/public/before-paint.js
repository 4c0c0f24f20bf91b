// Runs before the first paint, so that neither the colour scheme nor the language flashes. A file, not an
// inline script: the content security policy allows only scripts from here.
;(() => {
  const scheme = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1]
  const dark = scheme ? scheme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  try {
    const language = localStorage.getItem('I18n')
    if (language === 'en-US' || language === 'zh-TW') document.documentElement.lang = language
  } catch {
    // Storage may be forbidden; the default language stands.
  }
})()
