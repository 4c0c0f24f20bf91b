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
  // The build names the files: "zh-CN=/assets/a.js,/assets/b.js;zh-TW=…".
  const texts = document.currentScript?.dataset.texts ?? ''
  const own = texts.split(';').find((entry) => entry.startsWith(`${document.documentElement.lang}=`))
  for (const path of own?.split('=')[1]?.split(',') ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = path
    document.head.append(link)
  }
})()
