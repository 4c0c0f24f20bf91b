// A browser that cannot parse the console's modules (es2022) would show an empty page without a word. Every browser
// must be able to parse this file: it is ES5.
;(() => {
  // Came in the same versions as the newest syntax that the build leaves as it is.
  if (typeof Object.hasOwn === 'function' && 'noModule' in document.createElement('script')) return
  var told = document.getElementById('too-old')
  told.removeAttribute('hidden')
  told.style.cssText = 'max-width:480px;margin:15vh auto 0;padding:0 16px;font:16px/1.6 system-ui,sans-serif'
})()
