// Runs before the first paint, so that neither the colour scheme nor the language flashes. A file, not an
// inline script: the content security policy allows only scripts from here.
;(() => {
  // The server knows the chosen one. Not by document.cookie: it waits until all files are requested, up to 100 ms.
  const scheme = 'data-mantine-color-scheme'
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  if (!document.documentElement.hasAttribute(scheme))
    document.documentElement.setAttribute(scheme, dark ? 'dark' : 'light')
  try {
    const language = localStorage.getItem('I18n')
    if (language === 'en-US' || language === 'zh-TW') document.documentElement.lang = language
  } catch {
    // Storage may be forbidden; the default language stands.
  }
})()
