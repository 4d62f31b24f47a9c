// A request as a program. The key is not in it: programs take it from the environment.

import { written } from './format.js';

const variable = 'TRAWL_API_KEY';

const shell = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
const pretty = (value) => written(value);

// snippets returns [language, function of {url, body, mode, file}] for each language.
export const snippets = [
  ['curl', curl],
  ['JavaScript', javascript],
  ['Python', python],
  ['Go', golang],
  ['trawl', command],
  ['MCP', tool],
];

function curl({ url, body, file }) {
  const key = `-H "Authorization: Bearer $${variable}"`;
  if (file) return `curl ${shell(url)} ${key} \\\n  -F ${shell(`file=@${file}`)} -F ${shell(`options=${JSON.stringify(body)}`)}`;
  return `curl ${shell(url)} ${key} \\\n  --json ${shell(pretty(body))}`;
}

function javascript({ url, body, file }) {
  if (file) {
    return `import { openAsBlob } from 'node:fs';

const form = new FormData();
form.append('file', await openAsBlob(${JSON.stringify(file)}), ${JSON.stringify(file)});
form.append('options', JSON.stringify(${pretty(body)}));
const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.${variable}}\` },
  body: form,
});
console.log(JSON.stringify(await response.json()));
`;
  }
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.${variable}}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')}),
});
console.log(JSON.stringify(await response.json()));
`;
}

// literal is JSON as Python writes it. A text is JSON in both.
function literal(value, indent = '') {
  const inner = indent + '    ';
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const list = Array.isArray(value);
  const parts = list ? value.map((item) => literal(item, inner)) : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${literal(item, inner)}`);
  const [open, close] = list ? '[]' : '{}';
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')},\n${indent}${close}`;
}

function python({ url, body, file }) {
  if (file) {
    return `import json, os
import requests  # pip install requests

with open(${JSON.stringify(file)}, "rb") as file:
    response = requests.post(
        ${JSON.stringify(url)},
        headers={"Authorization": "Bearer " + os.environ["${variable}"]},
        files={"file": file},
        data={"options": json.dumps(${literal(body, '        ')})},
    )
print(response.text)
`;
  }
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(${literal(body, '    ')}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["${variable}"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    print(response.read().decode())
`;
}

// raw is a text as Go writes it over several lines.
const raw = (text) => '`' + text.split('`').join('` + "`" + `') + '`';

function golang({ url, body, file }) {
  const imports = ['io', 'log', 'net/http', 'os', ...(file ? ['bytes', 'mime/multipart'] : ['strings'])].sort();
  const form = `	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	content, err := os.ReadFile(${JSON.stringify(file)})
	if err != nil {
		log.Fatal(err)
	}
	part, _ := form.CreateFormFile("file", ${JSON.stringify(file)})
	part.Write(content)
	form.WriteField("options", ${raw(JSON.stringify(body))})
	form.Close()
	request, err := http.NewRequest("POST", ${JSON.stringify(url)}, &body)`;
  const json = `	body := strings.NewReader(${raw(pretty(body))})
	request, err := http.NewRequest("POST", ${JSON.stringify(url)}, body)`;
  return `package main

import (
${imports.map((name) => `	"${name}"`).join('\n')}
)

func main() {
${file ? form : json}
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${variable}"))
	request.Header.Set("Content-Type", ${file ? 'form.FormDataContentType()' : '"application/json"'})
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
`;
}

// flags are the options that commands of the program have, by mode.
const flags = {
  scrape: {
    onlyMainContent: (value) => (value === false ? ['--full'] : []), timeout: (value) => ['--timeout', `${value}ms`],
    waitFor: (value) => ['--wait-for', `${value}ms`], mobile: (value) => (value ? ['--mobile'] : []),
  },
  crawl: {
    limit: (value) => ['--limit', value], maxDiscoveryDepth: (value) => ['--depth', value], sitemap: (value) => ['--sitemap', value],
    includePaths: (value) => value.flatMap((pattern) => ['--include', shell(pattern)]), excludePaths: (value) => value.flatMap((pattern) => ['--exclude', shell(pattern)]),
    crawlEntireDomain: (value) => (value ? ['--entire-domain'] : []), allowSubdomains: (value) => (value ? ['--subdomains'] : []),
    allowExternalLinks: (value) => (value ? ['--external'] : []), delay: (value) => ['--delay', `${value}s`],
    ignoreQueryParameters: (value) => (value ? ['--ignore-query'] : []), ignoreRobotsTxt: (value) => (value ? ['--ignore-robots'] : []),
  },
  extract: {
    prompt: (value) => ['--prompt', shell(value)], systemPrompt: (value) => ['--system', shell(value)], limit: (value) => ['--limit', value],
    enableWebSearch: (value) => (value ? ['--web-search'] : []), showSources: (value) => (value ? ['--sources'] : []),
    ignoreSitemap: (value) => (value ? ['--ignore-sitemap'] : []), includeSubdomains: (value) => (value === false ? ['--no-subdomains'] : []),
  },
  parse: { onlyMainContent: (value) => (value === false ? ['--full'] : []), timeout: (value) => ['--timeout', `${value}ms`] },
};

const named = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'product', 'menu', 'branding'];

// command runs the same on this machine, without a server.
function command({ body, mode, file }) {
  const known = flags[mode];
  if (!known) return `# "trawl" has no command for ${mode}; it is there through the API.\n`;
  const { url, urls, formats, ...options } = body;
  const words = ['trawl', mode, ...(file ? [shell(file)] : (urls ?? [url ?? '']).map(shell)), '--json'];
  if (mode === 'extract') words.pop();
  const lost = [];
  for (const format of formats ?? []) {
    const name = format.type ?? format;
    if (named.includes(name)) words.push('--format', name);
    else lost.push(`the format ${name}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (known[name]) words.push(...known[name](value));
    else lost.push(name);
  }
  return (lost.length ? `# Without ${lost.join(', ')}, which the command does not have.\n` : '') + words.join(' ') + '\n';
}

// tool is the same as a call of a tool at /mcp. It takes formats as the API does, too.
function tool({ body, mode, file }) {
  const given = file ? { filePath: file, ...body } : body;
  return pretty({ method: 'tools/call', params: { name: `firecrawl_${mode}`, arguments: given } }) + '\n';
}
