#include "base/result.h"

#include <QtTest>

#include <memory>

using namespace nodewise;

namespace {

Error sample() { return {.what = "a length of 3", .where = "$.shape", .remedy = "say 2", .type = {}}; }

Result<int> half(int number) {
  if (number % 2 != 0) return Error{.what = "an even number expected", .where = {}, .remedy = {}, .type = {}};
  return number / 2;
}

Result<int> quarter(int number) {
  NW_TRY(const int once, half(number));
  NW_TRY(const int twice, half(once));
  return twice;
}

Result<void> checkQuarter(int number, int* reached) {
  NW_CHECK(quarter(number));
  ++*reached;
  return {};
}

} // namespace

class TestResult : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void textPutsPlaceFirstAndRemedyInBrackets() {
    QCOMPARE(sample().text(), std::string("$.shape: a length of 3 (say 2)"));
  }

  void textLeavesOutWhatIsEmpty() {
    QCOMPARE((Error{.what = "no", .where = {}, .remedy = {}, .type = {}}).text(), std::string("no"));
  }

  void withinPutsThePlaceAround() {
    QCOMPARE(within("a.json", sample()).where, std::string("a.json: $.shape"));
    QCOMPARE(within("a.json", Error{.what = "no", .where = {}, .remedy = {}, .type = {}}).where,
             std::string("a.json"));
  }

  void tryPassesTheValueOn() {
    const auto result = quarter(12);
    QVERIFY(result.ok());
    QCOMPARE(*result, 3);
  }

  void tryReturnsTheFirstError() {
    QVERIFY(!quarter(6).ok());
    QCOMPARE(quarter(6).error().what, std::string("an even number expected"));
  }

  void checkStopsAtAnError() {
    int reached = 0;
    QVERIFY(!checkQuarter(6, &reached).ok());
    QCOMPARE(reached, 0);
    QVERIFY(checkQuarter(4, &reached).ok());
    QCOMPARE(reached, 1);
  }

  void holdsWhatCanOnlyBeMoved() {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
    const std::unique_ptr<int> taken = std::move(result).value();
    QCOMPARE(*taken, 5);
  }
};

QTEST_APPLESS_MAIN(TestResult)
#include "tst_result.moc"
