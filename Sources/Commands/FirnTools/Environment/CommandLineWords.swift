import FirnValues

/// Splits the command line into the command and its arguments.
struct CommandLineWords {
    /// The first word that is not a common option; `nil` if there is none.
    let command: String?
    /// All other words; options before the command come first.
    let arguments: [String]

    /// The options that can precede the command and take a value.
    private static let optionsWithValue: TextSet = [
        "-f", "--format", "-o", "--output", "--color", "--progress", "--errors",
        "--wait", "--timeout", "--config", "-c", "--class", "-p", "--parameter", "--at",
    ]

    init(_ words: [String]) {
        var hoisted: [String] = []
        var index = 0
        while index < words.count, words[index].hasPrefix("-"), words[index] != "-" {
            let takesValue = CommandLineWords.optionsWithValue.contains(words[index])
            let end = min(words.count, index + (takesValue ? 2 : 1))
            hoisted += words[index..<end]
            index = end
        }
        command = index < words.count ? words[index] : nil
        arguments = hoisted + words.dropFirst(index + 1)
    }
}
