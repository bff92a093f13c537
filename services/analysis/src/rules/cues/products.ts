import type { Cue } from '../patterns.ts';

/** Phrases that contain a product under its proper name. */
export const NAME_CUES: Readonly<Record<string, Cue>> = {
  /** The name is the first word. */
  'name.subject': {
    by: 'manager',
    patterns: `
      _ (is|would be|will be|might be|should be) (the|a|an|just|exactly|perfect|ideal|made|built|designed|meant) (right|best|good|great|perfect|ideal|what|product|tool|solution|for) ..
      _ (builds|sends|gives|includes|lets|saves|shows|warns|handles|plans|covers|protects|helps|makes|tracks|checks|reads|reminds|calculates|prepares)
      _ (connects|records|sorts|allows|reduces|lasts|replaces|keeps|brings|finds|prints|cleans|stores|alerts|tells|learns|supports|works|costs|starts)
    `,
  },
  /** The name is the last word. */
  'name.object': {
    by: 'manager',
    patterns: `
      (show|give|offer|sell|send|recommend|suggest) you _
      (i|we) (would|) (recommend|suggest) _
      (try|use|using|choose|chose|install|start with|go with|switch to|switched to) _
      (product|tool|software|service|system|plan|solution|it) is called _
      (demo|trial|version|price) of _
      with our _
    `,
  },
  /** The name is the second word. */
  'name.with': {
    by: 'manager',
    patterns: 'with _ (you|your|they|it|we)',
  },
  /** The last word is the name of the speaker or of the person spoken to. */
  'name.person': {
    patterns: `
      (this is|my name is|mr|mrs|ms|miss|doctor) _
      (hello|hi|dear|goodbye|bye|morning|afternoon) _
      (thank you|thanks) _
    `,
  },
};

/** Kinds of goods and services: no proper names. */
export const PRODUCT_HEADS: ReadonlySet<string> = new Set(
  `plan plans package packages bundle subscription membership policy insurance cover coverage software platform
  suite license licence course courses training program programme apartment flat house condo property office
  offices pest control campaign campaigns advertising studio villa car suv truck van scooter motorcycle boat
  sofa couch mattress desk wardrobe kitchen filter filters machine machines printer printers laptop laptops
  tablet router camera cameras panel panels heater boiler pump windows window doors roof roofing flooring fence
  garage internet broadband fiber fibre hosting ads loan mortgage pension brakes brake tires tyres tune-up
  maintenance cleaning inspection treatment therapy implants whitening surgery tour cruise holiday vacation
  flight catering venue coffee wine meals vitamins supplements cream photography wedding tariff implant crown
  braces lenses hearing aid aids lessons lesson class classes backup cloud server renovation bathroom shower
  carpet curtains blinds stroller jewelry coaching consulting translation audit gym yoga solar crm erp
  bookkeeping accounting payroll invoicing storage alarm warranty lawn gardening landscaping magazine terminal
  terminals tyre lunch lunches ink glazing lease leasing flights survey`
    .trim()
    .split(/\s+/),
);

/** Words that cannot be part of a name. */
export const NOT_IN_A_NAME: ReadonlySet<string> = new Set(
  `a an the and or but so if then that this these those which who what when where why how to of in on at by from with without into over for about as than because until while
  i you he it we they me us them my your his its our their mine yours
  is are was were am be been being do does did have has had will would can could should shall may might must not no yes
  get gets got give gives gave go goes going come comes coming take takes took make makes made want wants need needs know think say says said see saw look looks looking
  help helps helped send sends sent call calls called calling work works worked working pay pays paid cost costs include includes including save saves run runs keep keeps
  just only also too very really quite pretty still already now here there today tomorrow yesterday again always never ever maybe please okay well um right sure great good bad
  thing things something anything everything nothing one ones lot bit kind sort way times day days week weeks month months year years minute minutes hour hours
  name number email address website call customers clients team company technician engineer driver colleagues people neighbors street
  at all down up out off back more less most much many few some any every each other another same both
  guide guides offer offers price prices quote pays covers comes starts would fit reach reached send would
  patients pupils students members guests users families staff doctor doctors teacher colleague colleagues boss accountant options option choice question questions
  shop store clubs own new
  choose chose stay stays order ordered prefer message form request experience opinion budget mind decision problem problems situation
  old first second third next last half popular cheap expensive free contracts contract house spouse`
    .trim()
    .split(/\s+/),
);

/** Words before a kind of goods, but never before a proper name. "Our" can precede both. */
export const DETERMINERS: ReadonlySet<string> = new Set(
  'a an the your my his their this that these those each every some any no another which what many more most all'.split(
    ' ',
  ),
);
