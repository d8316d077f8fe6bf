"""The version of the loader changes when its output changes."""

from __future__ import annotations

import hashlib

from citescape.loaders.jats import VERSION, read_jats
from tests.loaders.articles import article, cite, element_ref

DIGESTS = {"jats-7": "a9460ef2bd1855d3"}
"""Version -> hash of `sample()` as read. Every store reads its files again with a new version."""

META = """
<article-id pub-id-type="pmc">6338940</article-id><article-id pub-id-type="doi">10.1/X1</article-id>
<article-categories><subj-group><subject>Genetics</subject></subj-group></article-categories>
<title-group><article-title>Rice<xref ref-type="fn" rid="n">*</xref><break/><italic>O. sativa
</italic></article-title></title-group>
<contrib-group><contrib contrib-type="author"><contrib-id contrib-id-type="orcid">
https://orcid.org/0000-0002-1825-0097</contrib-id><name><surname>Li</surname>
<given-names>A B</given-names></name><xref ref-type="aff" rid="a">1</xref></contrib>
<contrib contrib-type="editor"><name><surname>Ed</surname></name></contrib><contrib>
<collab>The Group<contrib-group><contrib><name>
<surname>Member</surname></name></contrib></contrib-group></collab></contrib></contrib-group>
<aff id="a"><label>1</label><institution>Rice Institute</institution>, <country>P.R. China</country>
</aff>
<pub-date pub-type="epub"><day>7</day><month>3</month><year>2019</year></pub-date>
<pub-date pub-type="collection"><year>2020</year></pub-date>
<related-article related-article-type="correction-forward" ext-link-type="doi"
xlink:href="10.1000/X2"/>
<abstract><sec><title>Aims:</title><p>Rice&#160;grows [{one}].</p></sec></abstract>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<kwd-group><kwd>rice</kwd></kwd-group>
<kwd-group kwd-group-type="MESH"><kwd>Oryza/genetics*</kwd></kwd-group>
"""
BODY = """
<p>First of all [{one}].</p>
<sec sec-type="intro"><title>1. Background</title><p>Yields rose.{two} Many did [{one}-{four}].
Smith et al. ({three}) and <xref ref-type="bibr" rid="B5 B6">5,6</xref> did not&#x2009;.</p></sec>
<sec><title>Results and Discussion</title><sec><title>Yield</title><p>High <xref ref-type="bibr"
rid="B7">7&#8211;9</xref>.<fig><label>1</label><caption><title>Yield.</title><p>After {two}.</p>
</caption></fig> More.</p></sec><table-wrap><table><tr><td>a</td><td>{three}</td></tr></table>
</table-wrap><p>Lost <xref ref-type="bibr">?</xref> and <xref ref-type="bibr" rid="B99">99</xref>.
<inline-formula><tex-math>x^2</tex-math></inline-formula></p></sec>
<sec><title>Funding</title><sec><title>Grants</title><p>None.</p></sec></sec>
"""
ENTRIES = [
    "<person-group><name><surname>Li</surname><given-names>A</given-names></name><etal/>"
    "</person-group><article-title>On rice</article-title><source>Rice</source><year>2005a</year>"
    "<volume>3</volume><fpage>7</fpage><pub-id pub-id-type='doi'>10.1000/A1.</pub-id>",
    "<source>A Book of Rice</source><year>1999</year>",
    "<article-title>Wheat</article-title><ext-link>https://doi.org/10.1000/b2</ext-link>",
]


def sample() -> bytes:
    """An article that uses most features of the loader."""
    cites = {name: cite(i) for i, name in enumerate(("one", "two", "three", "four"), start=1)}
    entries = [element_ref(i, ENTRIES[i - 1] if i <= len(ENTRIES) else "") for i in range(1, 10)]
    printed = "Li A. Rice. PMID: 30123456. Retraction in: Rice 2015;1:2."
    untagged = f'<ref id="B10"><mixed-citation>{printed}</mixed-citation></ref>'
    return article(
        BODY.format(**cites),
        meta=META.format(**cites),
        back=f"<ack><p>Thanks {cites['one']}.</p></ack>"
        f"<ref-list>{''.join(entries)}{untagged}</ref-list>",
        after=f"<sub-article><body><p>{cites['two']}</p></body></sub-article>",
        root="article-type='review-article' xml:lang='en'",
    )


def test_output_of_the_loader_changes_only_with_its_version() -> None:
    paper = repr(read_jats(sample(), "paper.xml")).replace(", intents=None", "")  # JATS has none
    digest = hashlib.sha256(paper.encode()).hexdigest()[:16]

    assert DIGESTS.get(VERSION) == digest, (
        f"reading has changed: raise VERSION in loaders/jats.py and note its digest here; {paper}"
    )
