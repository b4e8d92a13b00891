import Foundation

// usage: firn-contacts FILE [fill VERSION [COPIES]]
//
// Without `fill`, the file migrates to the current version, and all people are printed.
let words = Array(CommandLine.arguments.dropFirst())
guard let path = words.first else {
    fatalError("usage: firn-contacts FILE [fill VERSION [COPIES]]")
}
let contacts = Contacts(path: path)
if words.count > 2, words[1] == "fill", let version = UInt64(words[2]), (1...4).contains(version) {
    try contacts.fill(version, copies: words.count > 3 ? Int(words[3]) ?? 1 : 1)
} else {
    try contacts.show()
}
