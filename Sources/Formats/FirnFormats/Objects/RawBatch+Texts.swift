import FirnText

extension RawBatch {
    /// Returns the values of a column as texts without quotes; a null is an empty text.
    func texts(of index: Int) -> TextColumn {
        let texts = TextColumn()
        for row in 0..<rowCount {
            if !columns[index].isNull(row) {
                if columns[index].isText {
                    let text = columns[index].text(row)
                    if let base = text.baseAddress {
                        texts.buffer.append(base, count: text.count)
                    }
                } else {
                    texts.buffer.append(scalarOf: columns[index], row: row)
                }
            }
            texts.endText()
        }
        return texts
    }
}
