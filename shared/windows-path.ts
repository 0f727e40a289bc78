/** A path of Windows or its registry: its backslashes escape nothing. Not what a program writes with two of them, nor a formula: `a:\(x\)`. */
export const PATH =
  /(?:[a-z]:\\(?![\\([])|\\\\(?=[\w.-]+\\[^\\])|%\w+%\\|HK(?:EY_[A-Z_]{1,30}|[A-Z]{2,3})\\|(?:~|\.{1,2})\\(?=[\w.]))(?:[^\s\\<>|"'`，。；：！？（）“”「」、]|\\(?![\s\\]|$))*(?<![*_])/i;
/** The same where no word, address or other path goes before it. */
export const PATH_START = new RegExp(`(?<![\\w\\\\:/.%~}])${PATH.source}`, 'i');
