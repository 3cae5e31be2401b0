/* xml.js -- a small check that a text is well-formed XML, and its elements as a list. */

/* Throws where the text is not well-formed; gives [{name, attributes, text}] in order. */
export function elements(xml) {
  const all = [],
    open = [];
  const token = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)|([\s\S])/g;
  for (const [whole, close, name, attributes, single, text, other] of xml.matchAll(token)) {
    if (other) throw new Error(`a stray < : ${xml.slice(Math.max(0, xml.indexOf(whole)), 60)}`);
    if (text !== undefined) characters(text, open, all);
    else if (close) {
      const top = open.pop();
      if (!top || top.name !== name)
        throw new Error(`</${name}> closes <${top ? top.name : 'nothing'}>`);
    } else {
      const e = {
        name,
        attributes: pairs(attributes),
        text: '',
        within: open.map((o) => o.attributes.class).filter(Boolean),
      };
      if (!open.length && all.length) throw new Error('two roots');
      all.push(e);
      if (!single) open.push(e);
    }
  }
  if (open.length) throw new Error(`<${open.pop().name}> is not closed`);
  return all;
}

function characters(text, open) {
  references(text);
  if (!open.length) {
    if (text.trim()) throw new Error('text outside the root');
    return;
  }
  open[open.length - 1].text += unescaped(text);
}

function references(text) {
  if (/&(?!(amp|lt|gt|quot|#39);)/.test(text)) throw new Error(`a bare & in ${text.slice(0, 60)}`);
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text))
    throw new Error('a forbidden character');
}

const unescaped = (text) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

function pairs(text) {
  const out = {};
  for (const [, name, value] of text.matchAll(/([\w:.-]+)="([^"]*)"/g)) {
    if (name in out) throw new Error(`${name} twice`);
    references(value);
    out[name] = unescaped(value);
  }
  return out;
}
