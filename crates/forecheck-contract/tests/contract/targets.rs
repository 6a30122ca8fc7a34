//! One spelling of a target, over random spellings and random texts.

use forecheck_contract::json::{self, Limits, Member, Node, Span, Value};
use forecheck_contract::recipe::{Recipe, TargetInvalid, TargetRecipe};
use forecheck_contract::spelling::{SpellingStep, is_spelled, spell};
use proptest::prelude::*;

use crate::keys;

/// The lists of steps for a host that folds case and for one that does not.
fn recommended() -> [Vec<SpellingStep>; 2] {
    use SpellingStep::{LowerCase, StripGit, StripSlash, StripUrl, Trim};
    let host = || StripUrl("github.com".to_owned());
    [vec![Trim, host(), StripSlash, LowerCase, StripGit], vec![Trim, host(), StripSlash, StripGit]]
}

fn recipe(spelling: Vec<SpellingStep>) -> Recipe {
    Recipe { target: Some(TargetRecipe { pointer: "/repo".to_owned(), spelling }), ..keys::recipe("open_pr") }
}

/// The target of a call that was sent with `sent`.
fn target(recipe: &Recipe, sent: &str) -> Result<String, TargetInvalid> {
    let text = serde_json::json!({ "repo": sent }).to_string();
    let mut input = json::read(text.as_bytes(), Limits::SPEC).unwrap();
    recipe.spell_target(&mut input);
    recipe.target(&input).map(str::to_owned)
}

#[test]
fn what_has_no_one_spelling_is_refused() {
    for steps in recommended() {
        let recipe = recipe(steps);
        assert_eq!(target(&recipe, "octo/hello.git"), Ok("octo/hello".to_owned()));
        for sent in
            ["octo/hello.git.git", "octo/hello/.git", "octo/hello .git", "https://github.com/ octo/hello"]
        {
            assert_eq!(target(&recipe, sent), Err(TargetInvalid::Unsettled), "{sent}");
        }
    }
}

#[test]
fn a_target_that_was_not_spelled_is_refused() {
    let [steps, _] = recommended();
    let check = |text: &'static str, expected| {
        let member = Member {
            name: "repo".into(),
            name_span: Span::default(),
            node: Node::synthetic(Value::String(text.into())),
        };
        let input = Node::synthetic(Value::Object(vec![member]));
        assert_eq!(recipe(steps.clone()).target(&input), expected);
    };
    check("octo/hello", Ok("octo/hello"));
    check("Octo/hello", Err(TargetInvalid::Unsettled));
}

/// Whatever a pointer of a target leads through, spelling and hashing see one value.
#[test]
fn a_target_inside_an_array_is_spelled_too() {
    let steps = vec![SpellingStep::LowerCase];
    let recipe = Recipe {
        target: Some(TargetRecipe { pointer: "/repos/0".to_owned(), spelling: steps }),
        ..keys::recipe("open_pr")
    };
    let text = r#"{"repos":["Octo/Hello"]}"#;
    let mut input = json::read(text.as_bytes(), Limits::CALL).unwrap();
    recipe.spell_target(&mut input);
    assert_eq!(recipe.target(&input), Ok("octo/hello"));
}

fn any_spelling() -> impl Strategy<Value = (String, String)> {
    let name = "[A-Za-z0-9][A-Za-z0-9-]{0,10}";
    let host = prop_oneof![Just("github.com"), Just("GitHub.com"), Just("GITHUB.COM")];
    let user = prop_oneof![Just(""), Just("git@"), Just("me:t0k-en%20@"), Just("x-access-token:ghs_a.b@")];
    let scheme = prop_oneof![Just("https"), Just("HTTP"), Just("ssh"), Just("git")];
    let front = prop_oneof![
        Just(String::new()),
        (scheme, user, host.clone()).prop_map(|(scheme, user, host)| format!("{scheme}://{user}{host}/")),
        host.prop_map(|host| format!("git@{host}:")),
    ];
    let blank = "[ \t\n\u{a0}\u{2003}]{0,2}";
    (name, name, front, any::<bool>(), "/{0,3}", (blank, blank)).prop_map(
        |(owner, name, front, git, slashes, (before, after))| {
            let repository = format!("{owner}/{name}");
            let git = if git { ".git" } else { "" };
            (format!("{before}{front}{repository}{git}{slashes}{after}"), repository)
        },
    )
}

proptest! {
    #[test]
    fn every_spelling_of_a_repository_meets_in_one((sent, repository) in any_spelling()) {
        let [folding, exact] = recommended();
        prop_assert_eq!(target(&recipe(folding), &sent), Ok(repository.to_ascii_lowercase()));
        prop_assert_eq!(target(&recipe(exact), &sent), Ok(repository));
    }

    /// What is accepted once is its own spelling, so a call that is sent again as it was executed
    /// has the same key.
    #[test]
    fn spelling_is_idempotent_where_it_is_accepted(
        sent in prop_oneof![
            "([Oo]/x|\\.git|/| |https://|github\\.com|:|@|git@github\\.com:|\\PC){0,8}",
            any_spelling().prop_map(|(sent, _)| sent),
        ],
    ) {
        for steps in recommended() {
            let once = spell(&steps, &sent);
            prop_assert_eq!(is_spelled(&steps, &once), spell(&steps, &once) == once);
            let recipe = recipe(steps.clone());
            match target(&recipe, &sent) {
                Ok(accepted) => {
                    prop_assert_eq!(&accepted, &once);
                    prop_assert_eq!(target(&recipe, &accepted), Ok(accepted.clone()));
                }
                Err(TargetInvalid::Empty) => prop_assert_eq!(once, ""),
                Err(TargetInvalid::Bar) => prop_assert!(once.contains('|')),
                Err(TargetInvalid::Unsettled) => prop_assert!(!is_spelled(&steps, &once)),
                Err(TargetInvalid::Missing) => prop_assert!(false),
            }
        }
    }
}
