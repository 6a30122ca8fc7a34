//! The short form of each soak.

mod agent;
#[path = "benches/table.rs"]
mod table;

use agent::Settings;

use crate::program::repository;

#[test]
fn the_readme_has_the_table_of_the_soak() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let table = agent::table(&agent::soak(Settings::USUAL)).to_string();
    assert!(readme.contains(&table), "README.md should have\n{table}");
}

#[test]
fn a_caller_that_reads_the_table_acts_once_gives_up_nothing_wrongly_and_looks_only_where_it_must() {
    for seed in 2..=5 {
        let [anew, identical, status, reader] = agent::soak(Settings { seed, tasks: 1000 });
        assert!(anew.double_effects > 0 && status.double_effects > 0, "{seed}");
        assert_eq!((identical.double_effects, reader.double_effects), (0, 0), "{seed}");
        let wrongly = [&anew, &identical, &status].map(|tally| tally.wrong_give_ups > 0);
        assert_eq!((wrongly, reader.wrong_give_ups), ([true; 3], 0), "{seed}");
        for other in [&anew, &identical, &status] {
            assert!(reader.useless() < other.useless(), "{seed}");
        }
        // A freeze that time ends, a quota that does not declare what it reads, a doubt that a probe cannot end, a
        // target in use.
        for look in reader.useless_resends.keys() {
            assert!(["FROZEN", "QUOTA_SPENT", "in_doubt", "in_flight"].contains(&&**look), "{seed}: {look}");
        }
    }
}
