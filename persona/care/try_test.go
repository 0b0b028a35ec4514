package care
import ("testing";"os";"strings")
func TestTry(t *testing.T){
 b,_:=os.ReadFile(os.Getenv("TRY"))
 for l := range strings.Lines(string(b)) {
  l=strings.TrimSpace(l); if len(l)<3 {continue}
  s:=Read(l[2:]); 
  if (l[0]=='+') != (s.Danger!=None) { t.Errorf("%s -> %+v", l, s) } else if l[0]=='+' && !strings.HasPrefix(l,"+ ") {t.Log(l,s)}
 }
}
