export const docs = { title: 'Docs' };
