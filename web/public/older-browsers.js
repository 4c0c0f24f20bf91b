// Runs before the console's modules, in every browser: it is ES5. A browser that cannot run them would show an empty
// page without a word; one that lacks only a few functions, as an iPhone of before Safari 17.4, gets these.
function isTooOld() {
  // The newest syntax and styles that the build leaves as they are: Chrome 111, Firefox 121, Safari 16.4.
  return !(
    typeof Object.hasOwn === 'function' &&
    typeof Array.prototype.toSorted === 'function' &&
    'noModule' in document.createElement('script') &&
    CSS.supports('selector(:has(a))') &&
    CSS.supports('color', 'color-mix(in srgb, red, blue)')
  )
}

function tellTooOld() {
  var told = document.getElementById('too-old')
  told.removeAttribute('hidden')
  told.style.cssText = 'max-width:480px;margin:15vh auto 0;padding:0 16px;font:16px/1.6 system-ui,sans-serif'
}

function fillIn() {
  AbortSignal.any =
    AbortSignal.any ||
    function any(signals) {
      var controller = new AbortController()
      signals.forEach(function follow(signal) {
        function abort() {
          controller.abort(signal.reason)
        }
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
      })
      return controller.signal
    }
  Map.groupBy =
    Map.groupBy ||
    function groupBy(items, keyOf) {
      var groups = new Map()
      Array.from(items).forEach(function put(item, index) {
        var key = keyOf(item, index)
        if (!groups.has(key)) groups.set(key, [])
        groups.get(key).push(item)
      })
      return groups
    }
  Element.prototype.checkVisibility =
    Element.prototype.checkVisibility ||
    function checkVisibility(options) {
      var asked = options || {}
      var isHidden = asked.visibilityProperty && getComputedStyle(this).visibility !== 'visible'
      return this.getClientRects().length > 0 && !isHidden
    }
}

if (isTooOld()) tellTooOld()
else fillIn()
