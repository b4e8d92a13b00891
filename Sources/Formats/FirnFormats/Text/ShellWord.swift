import FirnValues

/// A word of a command line in a message, as a person can paste it into a shell.
package enum ShellWord {
    /// Returns the word in single quotes, if a shell would change it otherwise.
    package static func quoted(_ word: String) -> String {
        let word = SafeText.escaping(word)
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "_-./=+:,@%".unicodeScalars.contains(scalar)
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
