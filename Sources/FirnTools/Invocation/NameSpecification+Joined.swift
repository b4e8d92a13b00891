import ArgumentParser

extension NameSpecification {
    /// The names of an option with a value, which may follow the letter at once: `-fcsv`, `-f csv`,
    /// `--format csv`.
    static func joinable(_ letter: Character, _ word: String) -> NameSpecification {
        [.customShort(letter, allowingJoined: true), .customLong(word)]
    }
}
