import Foundation

// usage: firn-address-book FILE < COMMANDS
//
// One command a line, its words separated by bars: add|EMAIL|NAME[|GROUP], phone|EMAIL|KIND|NUMBER,
// tag|EMAIL|TAG..., note|EMAIL[|TEXT], delete|EMAIL, search|TEXT, groups, show
guard CommandLine.arguments.count == 2 else { fatalError("usage: firn-address-book FILE") }
let book = try AddressBook(fileURL: URL(fileURLWithPath: CommandLine.arguments[1]))
while let line = readLine() {
    let words = line.split(separator: "|").map(String.init)
    switch (words.first, words.count) {
    case ("add", 3...4): try book.add(words[1], words[2], to: words.count == 4 ? words[3] : nil)
    case ("phone", 4): try book.setPhone(words[1], words[2], words[3])
    case ("tag", 3...): try book.tag(words[1], Array(words[2...]))
    case ("note", 2...3): try book.setNote(words[1], words.count == 3 ? words[2] : nil)
    case ("delete", 2): try book.delete(words[1])
    case ("search", 2): book.search(words[1])
    case ("groups", 1): book.showGroups()
    case ("show", 1): book.show()
    default: print("what is: \(line)")
    }
}
