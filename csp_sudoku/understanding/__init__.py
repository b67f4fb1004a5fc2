"""From drawings and rules texts to rules: all that is drawn and said is understood, or refused.

``canvas`` what a picture is made of · ``figures`` what is drawn on which cells · ``sentences``
``lexicon`` what a rules text says · ``phrases`` how texts speak of a rule, which its class brings
along · ``statements`` sentences that are no rules · ``meaning`` figures and sentences together ·
``choosing`` the stated solution decides between readings · ``colours`` their names.
"""
